import { asRecord } from '../util/records.ts'

export interface PoolUsage {
  open: number
  idle: number
  most: number
  waiting: number
}

/** Parses the numbers from another thread; undefined when they are malformed. */
export function parsePoolUsage(message: unknown): PoolUsage | undefined {
  const { open, idle, most, waiting } = asRecord(message)
  const isWhole = isNumber(open) && isNumber(idle) && isNumber(most) && isNumber(waiting)
  return isWhole ? { open, idle, most, waiting } : undefined
}

const isNumber = (value: unknown): value is number => typeof value === 'number'

/** The pools by purpose. The pool of another thread may not have reported yet. */
export type PoolUsages = Map<string, () => PoolUsage | undefined>
