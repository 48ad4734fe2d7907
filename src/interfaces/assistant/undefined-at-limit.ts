import { ProtocolError } from '../../protocol/errors.ts'

/** For `catch`: turns a reached network limit into undefined and rethrows other errors. */
export function undefinedAtLimit(error: unknown): undefined {
  const isLimit = error instanceof ProtocolError && LIMIT_ERRORS.includes(error.code)
  if (!isLimit) throw error
}

const LIMIT_ERRORS = ['hold_limit_exceeded', 'rate_limited']
