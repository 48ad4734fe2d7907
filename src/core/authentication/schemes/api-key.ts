import { ProtocolError } from '../../../protocol/errors.ts'
import { clientOfKey, wasKey } from '../api-keys.ts'
import { authorizationHeader, declared, type Scheme } from '../authentication-policy.ts'

export const apiKey: Scheme = {
  mechanism: 'api_key',
  async authenticate({ call, dependencies, now }) {
    const header = authorizationHeader(call)
    const bearer = header?.scheme === 'bearer' ? header.value : undefined
    const isDeclared = declared(call)?.mechanism === 'api_key'
    const key = isDeclared ? (declared(call)?.credential ?? bearer) : bearer
    if (!isDeclared && !key?.startsWith('usk_')) return undefined
    const client = key === undefined ? undefined : await clientOfKey(dependencies.db, key, now)
    if (client === undefined)
      throw new ProtocolError('authentication_required', 'The API key is unknown or no longer valid.', {
        ended: key !== undefined && (await wasKey(dependencies.db, key)),
      })
    return { principal: `client:${client}` }
  },
}
