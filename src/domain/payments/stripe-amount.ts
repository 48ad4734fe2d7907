/**
 * Currencies whose minor unit in Stripe differs from ISO 4217: the Stripe units for one of our units. See
 * https://docs.stripe.com/currencies#special-cases
 */
const UNITS_PER_MINOR_UNIT: Record<string, number> = { ISK: 100, UGX: 100, MGA: 1 / 100 }

const factor = (currency: string) => UNITS_PER_MINOR_UNIT[currency.toUpperCase()] ?? 1

export const toStripe = (amount: number, currency: string): number => amount * factor(currency)

export const fromStripe = (amount: number, currency: string): number => Math.round(amount / factor(currency))
