import { Temporal } from 'temporal-polyfill'
import { englishLocalizer } from '../../infra/i18n/localizer.ts'
import { secondsOf } from '../../infra/time/time-units.ts'
import { durationFormat, numberFormat } from '../../infra/util/cached-intl-formatters.ts'
import { memoize } from '../../infra/util/memoize.ts'
import { minorUnits } from '../../infra/util/round-money.ts'
import type { Message, Service, ServicePolicies } from '../../protocol/types.generated.ts'

/** The name of a service with its id in parentheses. Callers need the id for their next calls. */
export const nameWithId = ({ id, name }: Pick<Service, 'id' | 'name'>): string => `${name} (${id})`

/** Describes a service in one line, such as `Deep Tissue Massage (svc_massage): appointment, 60 minutes, 90.00 USD.` */
export function describeService({ id, name, type, duration, pricing }: Service): string {
  const kind = type.includes('.') ? undefined : type.replaceAll('_', ' ')
  const phrases = [kind, lengthOf(duration), priceOf(pricing)].filter((part) => part !== undefined)
  return `${nameWithId({ id, name })}: ${phrases.join(', ')}.`
}

function lengthOf({ fixed, range }: Service['duration']): string | undefined {
  if (fixed) return durationText(fixed)
  if (range?.min && range.max) return `${durationText(range.min)} to ${durationText(range.max)}`
}

/**
 * A duration in words, such as "60 minutes". The function caches its results, because formatting is slow and there are
 * few different durations.
 */
const durationText = memoize(500, (duration: string): string => {
  const { years, months, weeks, days, hours, minutes, seconds } = Temporal.Duration.from(duration)
  return durationFormat('en', { style: 'long' })
    .format({ years, months, weeks, days, hours, minutes, seconds })
    .replaceAll(',', '')
})

function priceOf({ model, amount, currency, price_range }: Service['pricing']): string | undefined {
  if (model === 'free') return 'free'
  if (model === 'variable' && price_range)
    return `${decimalAmount(price_range.min, currency)} to ${decimalAmount(price_range.max, currency)} ${currency}`
  if (amount === undefined) return undefined
  const per = { hourly: ' an hour', per_person: ' a person' }[String(model)] ?? ''
  return `${model === 'variable' ? 'from ' : ''}${decimalAmount(amount, currency)} ${currency}${per}`
}

/**
 * Converts an amount in minor units, such as cents, to decimal notation. Examples: 7500 USD becomes `75.00`, and 7500
 * JPY becomes `7500`.
 */
export function decimalAmount(amount: number | string, currency: string): string {
  const digits = digitsOf(currency)
  return (minorUnits(amount) / 10 ** digits).toFixed(digits)
}

/** The number of decimals of a currency. The function caches its results, because the lookup is slow. */
const digitsOf = memoize(
  200,
  (currency: string): number =>
    numberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2,
)

export function statusNotice({ name, status }: Pick<Service, 'name' | 'status'>): { messages?: Message[] } {
  if (status === 'suspended')
    return { messages: [{ type: 'info', code: 'service_suspended', content: `${name} cannot be booked at present.` }] }
  if (status === 'archived')
    return { messages: [{ type: 'info', code: 'service_archived', content: `${name} is no longer offered.` }] }
  return {}
}

export function* cancellationTerms(
  { allowed, ...terms }: ServicePolicies['cancellation'],
  currency: string,
): Generator<string> {
  if (!allowed) return yield 'Cannot be canceled.'
  const { free_cancellation_until: free, no_cancellation_after: last } = terms
  if (free === undefined) yield 'Canceling is free.'
  else {
    yield `Canceling is free until ${lengthText(free)} before the start; later it ${lateFeeText(terms, currency)}.`
  }
  if (last !== undefined) yield `It cannot be canceled later than ${lengthText(last)} before the start.`
}

type Fees = Pick<ServicePolicies['cancellation'], 'late_cancellation_fee' | 'late_cancellation_fee_percentage'>

function lateFeeText(
  { late_cancellation_fee: fee = 0, late_cancellation_fee_percentage: percent }: Fees,
  currency: string,
) {
  if (percent) return `costs ${percent} % of the price`
  return minorUnits(fee) > 0 ? `costs ${englishLocalizer().money(minorUnits(fee), currency)}` : 'costs nothing'
}

const lengthText = (duration: string) => englishLocalizer().length(secondsOf(duration) * 1000)
