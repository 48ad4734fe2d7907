import { ProtocolError } from '../../protocol/errors.ts'

/** For `catch`: turns a reached network limit into undefined and rethrows other errors. */
export function unlessTooMany(error: unknown): undefined {
  const isLimit = error instanceof ProtocolError && TOO_MANY.includes(error.code)
  if (!isLimit) throw error
}

const TOO_MANY = ['hold_limit_exceeded', 'rate_limited']
