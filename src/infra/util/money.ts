import { numberFormat } from './formatters.ts'

/**
 * A sum in whole minor units: half of one goes up. Rounding happens once, at the end. What cannot be written in binary,
 * such as 16.4 percent of 119375, may come out a hair below the half and still counts as the half.
 */
export const rounded = (sum: number): number => Math.floor(Number(sum.toFixed(7)) + 0.5)

/** A sum as people read it. */
export function money(minorUnits: number, currency: string): string {
  const format = numberFormat('en-US', { style: 'currency', currency })
  const { maximumFractionDigits: digits = 2 } = format.resolvedOptions()
  return format.format(minorUnits / 10 ** digits)
}
