import type { Day, Share } from './survey.ts'

/** Below it a day counts as nearly full. */
const NEARLY_FULL = 0.2

export const sum = (shares: readonly Share[]): Share => ({
  all: shares.reduce((total, { all }) => total + all, 0),
  free: shares.reduce((total, { free }) => total + free, 0),
})

const shareOf = (day: Day): Share => sum(Object.values(day.parts))

export const isFull = (day: Day): boolean => shareOf(day).free === 0

/** A full day is that as well. */
export const isNearlyFull = (day: Day): boolean => shareOf(day).free / shareOf(day).all < NEARLY_FULL
