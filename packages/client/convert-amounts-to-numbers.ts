/**
 * Lists which members contain amounts of money in the answers of a business. The keys are the names of the objects with
 * these members, such as `payment`.
 */
const AMOUNTS: Record<string, readonly string[]> = {
  payment: ['amount', 'amount_due', 'deposit_amount', 'tax_amount'],
  payment_context: ['amount_due', 'tax_amount'],
  line_items: ['amount'],
  cancellation: ['fee', 'refund_amount', 'late_cancellation_fee'],
  pricing: ['amount'],
  price_range: ['min', 'max'],
  deposit: ['value'],
  rescheduling: ['fee'],
  no_show: ['fee', 'amount_due', 'refund_amount'],
}
/**
 * Matches an amount of money, which is an integer in minor units such as cents. Only a deposit can have a fraction,
 * because a deposit can be a percentage.
 */
const INTEGER = /^-?[0-9]+$/
const FRACTION = /^-?[0-9]+(\.[0-9]+)?$/

/** Converts amounts of money to numbers, because a business can write an amount as a number or as a decimal string. */
export function withNumbers<T>(value: T, within?: string): T
export function withNumbers(value: unknown, within = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => withNumbers(item, within))
  if (typeof value !== 'object' || value === null) return value
  const amounts = Object.hasOwn(AMOUNTS, within) ? (AMOUNTS[within] ?? []) : []
  const form = within === 'deposit' ? FRACTION : INTEGER
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      amounts.includes(name) && typeof member === 'string' && form.test(member)
        ? Number(member)
        : withNumbers(member, name),
    ]),
  )
}
