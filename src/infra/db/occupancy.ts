import { recordOf } from '../util/record-of.ts'

/** How many connections there are, are idle and may be, and who waits for one. */
export interface Occupancy {
  open: number
  idle: number
  most: number
  waiting: number
}

/** What another thread says of its own; nothing where it says something else. */
export function occupancyIn(said: unknown): Occupancy | undefined {
  const { open, idle, most, waiting } = recordOf(said)
  const isWhole = isNumber(open) && isNumber(idle) && isNumber(most) && isNumber(waiting)
  return isWhole ? { open, idle, most, waiting } : undefined
}

const isNumber = (value: unknown): value is number => typeof value === 'number'

/** Those who have connections of their own, by what for; one of another thread may not have said anything yet. */
export type Pools = Map<string, () => Occupancy | undefined>
