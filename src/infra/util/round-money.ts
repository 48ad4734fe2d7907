import { numberFormat } from './cached-intl-formatters.ts'

/**
 * Rounds an amount of money to whole minor units, such as cents. A half is rounded up. Callers must round only once, at
 * the end. Binary arithmetic can make a product such as 16.4 percent of 119375 slightly too small; `toFixed` corrects
 * this error.
 */
export const rounded = (sum: number): number => Math.floor(Number(sum.toFixed(7)) + 0.5)

/** Converts an amount of money to a number. Other systems send minor units as a number or as a text. */
export const minorUnits = (amount: number | string): number => Number(amount)

export function money(minorUnits: number, currency: string): string {
  const format = numberFormat('en-US', { style: 'currency', currency })
  const { maximumFractionDigits: digits = 2 } = format.resolvedOptions()
  return format.format(minorUnits / 10 ** digits)
}
