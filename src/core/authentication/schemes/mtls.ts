import { ProtocolError } from '../../../protocol/errors.ts'
import { principalOf } from '../certificate-principals.ts'
import { declared, type Scheme } from '../scheme.ts'

/** A client certificate, which the binding has found verified: by this server or by a proxy it trusts. */
export const mtls: Scheme = {
  mechanism: 'mtls',
  async authenticate({ call, means }) {
    const { certificate } = call.peer
    if (certificate !== undefined) return { principal: await principalOf(means.db, certificate) }
    if (declared(call)?.mechanism !== 'mtls') return undefined
    throw new ProtocolError('authentication_required', 'No verified client certificate came with this connection.')
  },
}
