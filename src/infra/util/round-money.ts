import { numberFormat } from './cached-intl-formatters.ts'

/**
 * Rounds an amount of money to whole minor units, such as cents. A half is rounded up. Binary arithmetic can make a
 * product such as 16.4 percent of 119375 slightly too small, and `toFixed` corrects this error. Callers must round only
 * once, at the end.
 */
export const rounded = (sum: number): number => Math.floor(Number(sum.toFixed(7)) + 0.5)

/**
 * Converts an amount of money in minor units, such as cents, to a number. Other systems can send it as a number or as a
 * text.
 */
export const minorUnits = (amount: number | string): number => Number(amount)

export function money(minorUnits: number, currency: string): string {
  const format = numberFormat('en-US', { style: 'currency', currency })
  const { maximumFractionDigits: digits = 2 } = format.resolvedOptions()
  return format.format(minorUnits / 10 ** digits)
}
