import { UspError } from './client-errors.ts'

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

/**
 * Converts amounts of money to numbers, because a business can write an amount as a number or as a decimal string.
 * Throws an error if a string is no amount, or if the amount is too large for an exact number.
 */
export function withNumbers<T>(value: T, path?: string, within?: string): T
export function withNumbers(value: unknown, path = '$', within = ''): unknown {
  if (Array.isArray(value)) return value.map((item, index) => withNumbers(item, `${path}[${index}]`, within))
  if (typeof value !== 'object' || value === null) return value
  const amounts = Object.hasOwn(AMOUNTS, within) ? (AMOUNTS[within] ?? []) : []
  const form = within === 'deposit' ? FRACTION : INTEGER
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const at = `${path}.${name}`
      const isAmount = amounts.includes(name) && typeof member === 'string'
      return [name, isAmount ? numberIn(member, form, at) : withNumbers(member, at, name)]
    }),
  )
}

function numberIn(text: string, form: RegExp, path: string): number {
  const number = form.test(text) ? Number(text) : Number.NaN
  if (Math.abs(number) <= Number.MAX_SAFE_INTEGER) return number
  throw new UspError('unexpected_answer', 200, `The business sent an amount that the client cannot read: ${path}.`)
}
