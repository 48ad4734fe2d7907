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

const formatIn = (currency: string) => numberFormat('en-US', { style: 'currency', currency })

/** Returns how many minor units one unit of the currency has, such as 100 cents in a euro. */
export const minorUnitsIn = (currency: string): number =>
  10 ** (formatIn(currency).resolvedOptions().maximumFractionDigits ?? 2)

export const money = (minorUnits: number, currency: string): string =>
  formatIn(currency).format(minorUnits / minorUnitsIn(currency))
