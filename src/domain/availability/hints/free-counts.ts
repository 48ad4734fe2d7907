import type { Day, FreeCount } from './parts-of-days.ts'

/** Share of free times. Below it, a day counts as nearly full. */
const NEARLY_FULL_SHARE = 0.2

export const sumCounts = (shares: readonly FreeCount[]): FreeCount => ({
  all: shares.reduce((total, { all }) => total + all, 0),
  free: shares.reduce((total, { free }) => total + free, 0),
})

const countOf = (day: Day): FreeCount => sumCounts(Object.values(day.parts))

export const isFull = (day: Day): boolean => countOf(day).free === 0

/** Also true for a full day. */
export const isNearlyFull = (day: Day): boolean => countOf(day).free / countOf(day).all < NEARLY_FULL_SHARE
