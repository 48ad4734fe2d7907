import { numberFormat } from './cached-intl-formatters.ts'

/**
 * Rounds an amount of money to whole minor units, half up. Callers must round only once, at the end. In binary, a
 * product such as 16.4 percent of 119375 can be slightly below the exact half. The call of `toFixed` corrects this.
 */
export const rounded = (sum: number): number => Math.floor(Number(sum.toFixed(7)) + 0.5)

/** Converts an amount of money to a number. Other systems write minor units as a number or as a decimal string. */
export const minorUnits = (amount: number | string): number => Number(amount)

export function money(minorUnits: number, currency: string): string {
  const format = numberFormat('en-US', { style: 'currency', currency })
  const { maximumFractionDigits: digits = 2 } = format.resolvedOptions()
  return format.format(minorUnits / 10 ** digits)
}
