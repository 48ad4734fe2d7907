import { asRecord } from '../util/object-members.ts'

export interface PoolUsage {
  open: number
  idle: number
  most: number
  waiting: number
}

/**
 * Parses a report of another thread about the use of its database connections. Returns undefined if the report is
 * malformed.
 */
export function parsePoolUsage(message: unknown): PoolUsage | undefined {
  const { open, idle, most, waiting } = asRecord(message)
  const isWhole = isNumber(open) && isNumber(idle) && isNumber(most) && isNumber(waiting)
  return isWhole ? { open, idle, most, waiting } : undefined
}

const isNumber = (value: unknown): value is number => typeof value === 'number'

/**
 * Maps the purpose of each connection pool, such as `calls`, to a function that returns the current use of this pool.
 * For a pool in another thread, the function returns undefined until this thread has sent a report.
 */
export type PoolUsages = Map<string, () => PoolUsage | undefined>
