import { asRecord } from '../util/object-members.ts'

export interface PoolUsage {
  open: number
  idle: number
  most: number
  waiting: number
}

/** Parses the pool usage that another thread sent. Returns undefined if it is malformed. */
export function parsePoolUsage(message: unknown): PoolUsage | undefined {
  const { open, idle, most, waiting } = asRecord(message)
  const isWhole = isNumber(open) && isNumber(idle) && isNumber(most) && isNumber(waiting)
  return isWhole ? { open, idle, most, waiting } : undefined
}

const isNumber = (value: unknown): value is number => typeof value === 'number'

/**
 * The usage of each connection pool by its purpose. The usage is undefined until the thread of the pool has sent it.
 */
export type PoolUsages = Map<string, () => PoolUsage | undefined>
