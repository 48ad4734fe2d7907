import { asMembers, type Members } from '../../caller/answer.ts'
import { days } from '../../target/free-slots.ts'
import { isShared, policiesOf } from '../../target/service-kinds.ts'
import { amountOf, capacityOf, durationOf, optionsOf, pricingOf, selectableOf } from './service-facts.ts'

const MODELS_WITH_AMOUNT = ['fixed', 'hourly', 'per_person']

/** Returns the rules that this service breaks. Each rule is about several members of the service. */
export function brokenRules(service: Members): string[] {
  return [...paymentRules(service), ...priceRules(service), ...durationRules(service), ...otherRules(service)]
    .filter(([isMet]) => !isMet)
    .map(([, rule]) => rule)
}

type RuleOfService = [isMet: boolean, rule: string]

function paymentRules(service: Members): RuleOfService[] {
  const { requires_payment, payment_timing } = policiesOf(service)
  const { model, deposit } = pricingOf(service)
  return [
    [(model === 'free') === (requires_payment === false), 'a service requires no payment if, and only if, it is free'],
    [
      (payment_timing !== undefined) === (requires_payment === true),
      'payment_timing if, and only if, payment is required',
    ],
    [payment_timing !== 'deposit_required' || deposit !== undefined, 'a deposit if payment_timing is deposit_required'],
  ]
}

function priceRules(service: Members): RuleOfService[] {
  const { model, amount, price_range, deposit } = pricingOf(service)
  const [min, max] = [asMembers(price_range)?.min, asMembers(price_range)?.max].map(amountOf)
  const { type, value } = asMembers(deposit) ?? {}
  return [
    [model !== 'free' || (amount === undefined && price_range === undefined), 'no price of a free service'],
    [!MODELS_WITH_AMOUNT.includes(String(model)) || Number(amountOf(amount)) > 0, `a positive amount for ${model}`],
    [price_range === undefined || Number(min) <= Number(max), 'a price_range with min not above max'],
    [deposit === undefined || Number(value) > 0, 'a positive deposit'],
    [type !== 'percentage' || Number(value) <= 100, 'a deposit of at most 100 percent'],
  ]
}

function durationRules(service: Members): RuleOfService[] {
  const { fixed, range, undetermined, ...buffers } = durationOf(service)
  const { min, max, step } = asMembers(range) ?? {}
  const stated = [fixed, min, max, step, buffers.buffer_before, buffers.buffer_after].filter((one) => one !== undefined)
  return [
    [
      [fixed, range, undetermined].filter((one) => one !== undefined).length === 1,
      'exactly one of fixed, range and undetermined',
    ],
    [stated.every((one) => days(one) !== undefined), 'ISO 8601 durations'],
    [range === undefined || Number(days(min)) <= Number(days(max)), 'a range with min not above max'],
    [
      undetermined === undefined || pricingOf(service).model !== 'hourly',
      'no hourly price with an undetermined duration',
    ],
  ]
}

function otherRules(service: Members): RuleOfService[] {
  const selectable = selectableOf(service)
  return [
    [!isShared(service) || Number.isInteger(capacityOf(service).max), 'a capacity.max of a group or reservation'],
    [
      selectable.every((one) => optionsOf(one).length > 0 && optionsOf(one).every(({ id }) => typeof id === 'string')),
      'options with ids for a selectable resource',
    ],
  ]
}

/** Returns each member of a value at any depth, with its name and its path. */
export function* membersIn(value: unknown, path = '$'): Generator<{ name: string; path: string; value: unknown }> {
  if (Array.isArray(value)) for (const [index, item] of value.entries()) yield* membersIn(item, `${path}[${index}]`)
  for (const [name, member] of Object.entries(asMembers(value) ?? {})) {
    yield { name, path: `${path}.${name}`, value: member }
    yield* membersIn(member, `${path}.${name}`)
  }
}
