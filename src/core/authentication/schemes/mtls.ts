import { ProtocolError } from '../../../protocol/errors.ts'
import { principalOf } from '../certificate-principals.ts'
import { declared, type Scheme } from '../scheme.ts'

/** A client certificate that this server or a trusted proxy has verified. */
export const mtls: Scheme = {
  mechanism: 'mtls',
  async authenticate({ call, means }) {
    const { certificate } = call.peer
    if (certificate !== undefined) return { principal: await principalOf(means.db, certificate) }
    if (declared(call)?.mechanism !== 'mtls') return undefined
    throw new ProtocolError('authentication_required', 'No verified client certificate came with this connection.')
  },
}
