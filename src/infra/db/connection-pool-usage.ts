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
 * Functions that return how each connection pool is used, by its purpose. The result is undefined until the thread of
 * the pool has sent it.
 */
export type PoolUsages = Map<string, () => PoolUsage | undefined>
