import { ProtocolError } from '../../protocol/errors.ts'

/** Nothing where others of the same network have made as much as they may. */
export function unlessTooMany(error: unknown): undefined {
  const isLimit = error instanceof ProtocolError && TOO_MANY.includes(error.code)
  if (!isLimit) throw error
}

const TOO_MANY = ['hold_limit_exceeded', 'rate_limited']
