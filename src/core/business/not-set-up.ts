import { USP } from '../../infra/util/plain-error.ts'
import { ProtocolError } from '../../protocol/errors.ts'

export const notSetUp = () =>
  new ProtocolError('service_unavailable', `No business is set up on this server yet: run \`${USP} apply FILE\`.`, {
    retryAfter: 60,
  })
