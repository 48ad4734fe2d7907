import type { Fault } from '../../protocol/errors.ts'

/**
 * The codes of warnings about settings that are allowed but probably wrong. Each language file has a text for each
 * code.
 */
export const WARNINGS = [
  ...([
    'currency',
    'percent',
    'outside_range',
    'deposit_percent',
    'deposit_above_price',
    'needless_range',
    'two_fees',
    'waitlist_min',
    'no_person',
    'fixed_price',
    'stripe_amount',
  ] as const),
  ...(['never_had', 'rental_days', 'no_sessions', 'never_held', 'never_on', 'nobody_works', 'no_effect'] as const),
  ...(['unknown_collector', 'no_stripe_key'] as const),
] as const

/**
 * A warning as a code, without its text. `path` names the property of the business definition, and `values` are the
 * values that the text contains.
 */
export interface WarningCode {
  code: (typeof WARNINGS)[number]
  path: string
  values: Record<string, string>
}

export interface Warning extends Fault, Omit<WarningCode, 'path'> {}

export const warning = (
  field: string,
  message: string,
  code: Warning['code'],
  values: Record<string, string | number> = {},
): Warning => ({
  field,
  message,
  code,
  values: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)])),
})
