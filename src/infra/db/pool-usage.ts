import { asRecord } from '../util/object-members.ts'

export interface PoolUsage {
  open: number
  idle: number
  most: number
  waiting: number
}

/** Parses the figures of a pool that another thread sent. Undefined if they are malformed. */
export function parsePoolUsage(message: unknown): PoolUsage | undefined {
  const { open, idle, most, waiting } = asRecord(message)
  const isWhole = isNumber(open) && isNumber(idle) && isNumber(most) && isNumber(waiting)
  return isWhole ? { open, idle, most, waiting } : undefined
}

const isNumber = (value: unknown): value is number => typeof value === 'number'

/**
 * The connection pools by their purpose. The result is undefined as long as the pool of another thread has not sent its
 * figures.
 */
export type PoolUsages = Map<string, () => PoolUsage | undefined>
