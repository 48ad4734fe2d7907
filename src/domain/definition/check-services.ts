import { requiresNoPerson, wireType } from '../../core/business/definition-facts.ts'
import { SERVICE_PATH_WORDS } from '../../protocol/base-url-paths.ts'
import { hasUcpCheckout } from '../../protocol/capabilities.ts'
import type { Fault } from '../../protocol/errors.ts'
import type { BusinessDefinition, ServiceDefinition } from '../../protocol/types.generated.ts'
import { fault, tagsAreWellFormed } from './check-definition.ts'
import { durationRulesFit, durationsArePossible, durationsEnd, windowIsOpen } from './check-durations.ts'
import { depositFitsPrice, priceWarnings, seasonsRunForward } from './check-prices.ts'
import { isRule } from './check-recurrence-rule.ts'
import { stripeAmountWarnings } from './check-stripe-amounts.ts'
import { timesAreLimited } from './check-times-per-day.ts'
import { type Warning, warning } from './warning-codes.ts'

type Rule = (service: ServiceDefinition, definition: BusinessDefinition) => Iterable<Fault>

/**
 * The checks for each service of a business definition. Section 3.11 of the protocol requires some of these checks. The
 * other checks prevent settings with which the server cannot compute slots and prices.
 */
const rules: Rule[] = [
  idIsNoPath,
  typeIsDefined,
  paymentFitsPrice,
  paymentFitsDeployment,
  amountFitsModel,
  priceRangeFits,
  depositFits,
  depositFitsPrice,
  seasonsRunForward,
  oneDuration,
  durationRulesFit,
  durationsArePossible,
  durationsEnd,
  windowIsOpen,
  oneLateFee,
  capacityFitsType,
  channelFitsType,
  limitsFitChannel,
  onePrimaryCategory,
  sessionsFit,
  resourcesAreKnown,
  locationsAreKnown,
  timesAreLimited,
  translationsAreTagged,
]

export const serviceFaults = (service: ServiceDefinition, definition: BusinessDefinition): Fault[] =>
  rules.flatMap((rule) => [...rule(service, definition)])

function* oneLateFee({ policies: { cancellation } }: ServiceDefinition) {
  if (cancellation.late_cancellation_fee !== undefined && cancellation.late_cancellation_fee_percentage !== undefined)
    yield fault('policies.cancellation', 'has both a late_cancellation_fee and a late_cancellation_fee_percentage')
}

function* idIsNoPath({ id }: ServiceDefinition) {
  if (SERVICE_PATH_WORDS.includes(id)) yield fault('id', `is ${id}, which is the path of a page of this server`)
}

/**
 * Refuses a service type whose name begins with the prefix of the protocols USP or UCP. Only these protocols may define
 * such names, and they define none.
 */
function* typeIsDefined({ type }: ServiceDefinition) {
  if (/^dev\.(usp-protocol|ucp)\./.test(type))
    yield fault(
      'type',
      `is ${type}, which the protocol does not define: use a reverse-domain name of your own, such as com.example.courses`,
    )
}

function* paymentFitsPrice({ policies, pricing }: ServiceDefinition) {
  const { requires_payment, payment_timing } = policies
  if (requires_payment && pricing.model === 'free')
    yield fault('pricing.model', 'is free, but policies.requires_payment is true')
  if (requires_payment && payment_timing === undefined)
    yield fault('policies.payment_timing', 'is missing: it is required when requires_payment is true')
  if (!requires_payment && pricing.model !== 'free')
    yield fault('pricing.model', `is ${pricing.model}, but must be free when policies.requires_payment is false`)
  if (!requires_payment && payment_timing !== undefined)
    yield fault('policies.payment_timing', 'must be left out when requires_payment is false')
}

/**
 * Refuses payment in advance if the business has the deployment mode `ucp_native`, but no UCP checkout that takes
 * payments. UCP is the Universal Commerce Protocol. In this mode, buyers can pay in advance only in a UCP checkout.
 */
function* paymentFitsDeployment({ policies: { payment_timing } }: ServiceDefinition, definition: BusinessDefinition) {
  const isPaidBefore = payment_timing === 'at_booking' || payment_timing === 'deposit_required'
  if (!isPaidBefore || definition.deployment_mode !== 'ucp_native') return
  const takesPayments = hasUcpCheckout(definition) && definition.payments?.provider === 'stripe'
  if (takesPayments) return
  yield fault(
    'policies.payment_timing',
    `is ${payment_timing}, which requires UCP checkout when deployment_mode is ucp_native: set ucp_checkout.enabled and ` +
      'payments.provider: stripe. Otherwise use at_service, or make the business standalone',
  )
}

function* amountFitsModel({ pricing: { model, amount } }: ServiceDefinition) {
  if (model === 'free' && amount !== undefined) yield fault('pricing.amount', 'must be left out when the model is free')
  if (['fixed', 'hourly', 'per_person'].includes(model) && (amount === undefined || amount <= 0))
    yield fault('pricing.amount', `must be a number of minor units above 0 when the model is ${model}`)
  if (model === 'variable' && amount !== undefined && amount < 0) yield fault('pricing.amount', 'must not be negative')
}

function* priceRangeFits({ pricing: { model, price_range } }: ServiceDefinition) {
  if (model === 'free' && price_range) yield fault('pricing.price_range', 'must be left out when the model is free')
  if (price_range && price_range.min > price_range.max) yield fault('pricing.price_range', 'has a min above its max')
}

function* depositFits({ policies, pricing: { deposit } }: ServiceDefinition) {
  if (policies.payment_timing === 'deposit_required' && !deposit)
    yield fault('pricing.deposit', 'is missing: it is required when payment_timing is deposit_required')
  if (deposit?.type === 'percentage' && deposit.value > 100)
    yield fault('pricing.deposit.value', 'is above 100 percent')
  if (deposit?.type === 'fixed' && !Number.isInteger(deposit.value))
    yield fault('pricing.deposit.value', 'must be a whole number of minor units')
}

function* oneDuration({ duration, pricing }: ServiceDefinition) {
  const present = (['fixed', 'range', 'undetermined'] as const).filter((kind) => duration[kind] !== undefined)
  if (present.length !== 1) yield fault('duration', 'must have exactly one of fixed, range and undetermined')
  if (duration.undetermined && pricing.model === 'hourly')
    yield fault('pricing.model', 'cannot be hourly when the duration is undetermined')
}

function* capacityFitsType({ type, capacity }: ServiceDefinition) {
  if (['group', 'reservation'].includes(type) && capacity?.max === undefined)
    yield fault(capacity ? 'capacity.max' : 'capacity', `is missing: a ${type} service needs it`)
  if (capacity?.min !== undefined && capacity.max !== undefined && capacity.min > capacity.max)
    yield fault('capacity', 'has a min above its max')
}

function* channelFitsType({ type, channel }: ServiceDefinition) {
  if (type === 'field_service' && channel.type !== 'at_buyer_location')
    yield fault('channel.type', 'must be at_buyer_location for a field_service')
}

function* limitsFitChannel({ channel, service_limits }: ServiceDefinition) {
  if (service_limits && channel.type !== 'at_buyer_location')
    yield fault('service_limits', 'are allowed only for services at_buyer_location')
}

function* onePrimaryCategory({ categories = [] }: ServiceDefinition) {
  if (categories.filter(({ primary }) => primary).length > 1)
    yield fault('categories', 'has more than one primary entry')
}

const NO_RULE = 'is not an RFC 5545 recurrence rule that gives days, such as FREQ=WEEKLY;BYDAY=SA'

function* sessionsFit({ type, sessions = [] }: ServiceDefinition) {
  if (sessions.length > 0 && type !== 'group') yield fault('sessions', 'are allowed only for group services')
  for (const [index, { rrule, from, until }] of sessions.entries()) {
    if (from !== undefined && until !== undefined && from > until)
      yield fault(`sessions.${index}`, `begins on ${from}, after it ends on ${until}`)
    if (rrule !== undefined && !isRule(rrule, from ?? '')) yield fault(`sessions.${index}.rrule`, NO_RULE)
  }
}

function* resourcesAreKnown(service: ServiceDefinition, definition: BusinessDefinition) {
  const known = new Map((definition.resources ?? []).map((resource) => [resource.id, resource]))
  for (const [index, { type, options = [] }] of (service.resources ?? []).entries())
    for (const id of options) {
      const found = known.get(id)
      if (!found) yield unknownResource(`resources.${index}.options`, id)
      else if (wireType(found.type) !== type)
        yield fault(`resources.${index}.options`, `names ${id}, which is a ${found.type}, not a ${type}`)
    }
  for (const member of ['sessions', 'price_rules', 'duration_rules'] as const)
    for (const [index, { resources = [] }] of (service[member] ?? []).entries())
      for (const id of resources) if (!known.has(id)) yield unknownResource(`${member}.${index}.resources`, id)
}

const unknownResource = (field: string, id: string) =>
  fault(field, `names the resource ${id}, which the business does not have`)

function* locationsAreKnown({ locations = [], sessions = [] }: ServiceDefinition, definition: BusinessDefinition) {
  const known = new Set((definition.locations ?? []).map(({ id }) => id))
  for (const id of locations) if (!known.has(id)) yield unknownLocation('locations', id)
  for (const [index, { location }] of sessions.entries())
    if (location !== undefined && !known.has(location)) yield unknownLocation(`sessions.${index}.location`, location)
}

const unknownLocation = (field: string, id: string) =>
  fault(field, `names the location ${id}, which the business does not have`)

function* translationsAreTagged({ localized = {}, price_rules = [] }: ServiceDefinition) {
  for (const [member, translations] of Object.entries(localized))
    yield* tagsAreWellFormed(translations, `localized.${member}`)
  for (const [index, rule] of price_rules.entries())
    yield* tagsAreWellFormed(rule.localized?.label ?? {}, `price_rules.${index}.localized.label`)
}

export function* serviceWarnings(service: ServiceDefinition, definition: BusinessDefinition): Iterable<Warning> {
  const { business } = definition
  const { pricing, capacity, policies } = service
  const { no_show } = policies
  if (pricing.currency !== business.currency)
    yield warning(
      'pricing.currency',
      `is ${pricing.currency}, but the currency of the business is ${business.currency}`,
      'currency',
      { currency: pricing.currency, usual: business.currency },
    )
  yield* priceWarnings(service, definition)
  yield* stripeAmountWarnings(service, definition)
  if (pricing.deposit?.type === 'percentage' && pricing.deposit.value < 1)
    yield warning(
      'pricing.deposit.value',
      `is ${pricing.deposit.value} percent; a half is written as 50`,
      'deposit_percent',
      { value: pricing.deposit.value },
    )
  if (pricing.model === 'fixed' && pricing.price_range)
    yield warning(
      'pricing.price_range',
      'only repeats the amount of a fixed price and may be left out',
      'needless_range',
    )
  if (no_show?.fee !== undefined && no_show.fee_percentage !== undefined)
    yield warning('policies.no_show', 'has both a fee and a fee_percentage; the fee counts', 'two_fees')
  if (capacity?.waitlist && (capacity.min ?? 1) > 1)
    yield warning(
      'capacity.waitlist',
      `can never offer a place: a waitlist entry is for one place, and the min is ${capacity.min}`,
      'waitlist_min',
      { min: capacity.min ?? 1 },
    )
  if (requiresNoPerson(service, definition))
    yield warning(
      'resources',
      'requires no staff: the service can be booked while all of them are busy. If a person carries it out, ' +
        'add { type: staff }',
      'no_person',
    )
}
