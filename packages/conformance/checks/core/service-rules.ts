import { asMembers, type Members } from '../../caller/answer.ts'
import { days } from '../../target/free-slots.ts'
import {
  amountOf,
  capacityOf,
  durationOf,
  isShared,
  optionsOf,
  policiesOf,
  pricingOf,
  resourcesOf,
} from './service-facts.ts'

const MODELS_WITH_AMOUNT = ['fixed', 'hourly', 'per_person']

/** The rules that the members of a service must meet together. Each has what it demands, and whether it is met. */
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
    [(model === 'free') === (requires_payment === false), 'a free service requires no payment, and only a free one'],
    [
      (payment_timing !== undefined) === (requires_payment === true),
      'payment_timing if payment is required, else none',
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
    [price_range === undefined || Number(min) <= Number(max), 'a price_range from min to max'],
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
      'one of fixed, range and undetermined',
    ],
    [stated.every((one) => days(one) !== undefined), 'ISO 8601 durations'],
    [range === undefined || Number(days(min)) <= Number(days(max)), 'a range from min to max'],
    [
      undetermined === undefined || pricingOf(service).model !== 'hourly',
      'no hourly price of an undetermined duration',
    ],
  ]
}

function otherRules(service: Members): RuleOfService[] {
  const selectable = resourcesOf(service).filter((requirement) => requirement.selectable === true)
  return [
    [!isShared(service) || Number.isInteger(capacityOf(service).max), 'a capacity.max of a group or reservation'],
    [
      selectable.every((one) => optionsOf(one).length > 0 && optionsOf(one).every(({ id }) => typeof id === 'string')),
      'options with ids for a selectable resource',
    ],
  ]
}

/** Every member of a value, at any depth, with its name and its path. */
export function* membersIn(value: unknown, path = '$'): Generator<{ name: string; path: string; value: unknown }> {
  if (Array.isArray(value)) for (const [index, item] of value.entries()) yield* membersIn(item, `${path}[${index}]`)
  for (const [name, member] of Object.entries(asMembers(value) ?? {})) {
    yield { name, path: `${path}.${name}`, value: member }
    yield* membersIn(member, `${path}.${name}`)
  }
}
