import { ProtocolError } from '../../../protocol/errors.ts'

export const MECHANISM = 'http_message_signature'

type SignatureCode =
  | 'signature_missing'
  | 'signature_invalid'
  | 'signature_expired'
  | 'key_not_found'
  | 'algorithm_unsupported'

export const failed = (code: SignatureCode, message: string) =>
  new ProtocolError(code, message, { mechanism: MECHANISM })
