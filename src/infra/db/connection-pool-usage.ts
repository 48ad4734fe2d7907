import { asRecord } from '../util/object-members.ts'

export interface PoolUsage {
  open: number
  idle: number
  most: number
  waiting: number
}

/**
 * Parses a message in which another thread reports the use of its database connections. Returns undefined if the
 * message is malformed.
 */
export function parsePoolUsage(message: unknown): PoolUsage | undefined {
  const { open, idle, most, waiting } = asRecord(message)
  const isWhole = isNumber(open) && isNumber(idle) && isNumber(most) && isNumber(waiting)
  return isWhole ? { open, idle, most, waiting } : undefined
}

const isNumber = (value: unknown): value is number => typeof value === 'number'

/**
 * For the purpose of each connection pool, a function that returns how the pool is used. If another thread has the
 * pool, the result is undefined until that thread has sent a report.
 */
export type PoolUsages = Map<string, () => PoolUsage | undefined>
