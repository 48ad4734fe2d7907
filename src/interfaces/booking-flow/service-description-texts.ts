import type { AvailableTime } from '../../domain/availability/available-times.ts'
import { scheduledPriceRange } from '../../domain/availability/scheduled-price-range.ts'
import { narrowPlan, type Plan } from '../../domain/availability/service-scheduling-plan.ts'
import { localTexts } from '../../domain/catalog/localized-texts.ts'
import { depositOf } from '../../domain/pricing/booking-price.ts'
import { hasSlotPrices, slotAmount } from '../../domain/pricing/slot-price.ts'
import type { Localizer } from '../../infra/i18n/localizer.ts'
import type { ServiceDefinition } from '../../protocol/types.generated.ts'

interface PriceQuery {
  persons?: readonly string[]
  now: Date
}

/**
 * Returns the text about the price of a service for a visitor who has not chosen a time yet. If the price can vary, the
 * text names the lowest price.
 */
export const priceText = async (localizer: Localizer, plan: Plan, priceQuery: PriceQuery): Promise<string> =>
  (await priceTexts(plan, priceQuery))(localizer)

/**
 * Returns a function that writes the price of a service in a given language. The server computes the price only once
 * for all languages.
 */
export async function priceTexts(
  plan: Plan,
  { persons = [], now }: PriceQuery,
): Promise<(localizer: Localizer) => string> {
  const { model, amount, price_range: range } = plan.service.pricing
  if (model === 'free') return ({ say }) => say('book.free')
  const span = hasSlotPrices(plan) ? await scheduledPriceRange(narrowPlan(plan, { ids: persons }), now) : undefined
  const stated = model === 'variable' ? (range?.min ?? amount) : amount
  if (stated === undefined && !span?.most) return ({ say }) => say('book.price.later')
  const least = span?.least ?? stated ?? 0
  const isSame = span ? span.most === least : model !== 'variable' || range?.max === least
  return (localizer) => {
    const price = unitText(localizer, plan, least)
    return withTax(localizer, plan, isSame ? price : localizer.say('book.price.from', { price }))
  }
}

function unitText({ say, money }: Localizer, { service: { pricing } }: Plan, amount: number): string {
  const price = money(amount, pricing.currency)
  if (pricing.model === 'hourly') return say('book.price.hourly', { price })
  return pricing.model === 'per_person' ? say('book.price.per_person', { price }) : price
}

/** Adds a note about tax to a price. The price of a service that requires no payment gets no note. */
function withTax({ say }: Localizer, { business, service }: Plan, price: string): string {
  const { percent, included } = business.payments?.tax ?? { percent: 0, included: false }
  if (percent === 0 || !service.policies.requires_payment) return price
  return say(included ? 'book.price.with_tax' : 'book.price.plus_tax', { price })
}

/**
 * Describes the deposit that the buyer must pay before the visit. Returns undefined if the service requires no deposit.
 */
export function depositText(localizer: Localizer, { service }: Plan): string | undefined {
  const { requires_payment, payment_timing } = service.policies
  const { deposit = null, model, amount, currency } = service.pricing
  const isAsked = requires_payment && payment_timing === 'deposit_required'
  const { type, value = 0 } = deposit ?? {}
  if (!isAsked || value === 0) return undefined
  const isKnown =
    type !== 'percentage' || (model === 'fixed' && amount !== undefined && service.price_rules === undefined)
  const share = isKnown ? localizer.money(depositOf({ deposit }, amount ?? 0), currency) : localizer.percent(value)
  return localizer.say('book.deposit', { deposit: share })
}

/**
 * Returns the text with the shortest and longest duration of several times that share one button on the page. Returns
 * undefined if the duration does not depend on the person or room.
 */
export function timeLength(
  localizer: Localizer,
  { resourceDurations }: Plan,
  together: readonly Pick<AvailableTime, 'start' | 'end'>[],
): string | undefined {
  const all = together.map(({ start, end }) => end - start)
  return resourceDurations.size > 0 && all.length > 0
    ? between(localizer, Math.min(...all), Math.max(...all))
    : undefined
}

/**
 * Returns the text with the lowest price of several times that share one button on the page. Returns undefined if all
 * slots of the service have the same price.
 */
export function leastPrice(localizer: Localizer, plan: Plan, times: readonly AvailableTime[]): string | undefined {
  if (!hasSlotPrices(plan)) return undefined
  const amounts = new Set(times.map((time) => slotAmount(plan, time)))
  const price = amountText(localizer, plan, Math.min(...amounts))
  return amounts.size > 1 ? localizer.say('book.price.from', { price }) : price
}

const amountText = (localizer: Localizer, plan: Plan, amount: number) =>
  withTax(localizer, plan, unitText(localizer, plan, amount))

export function lengthText(localizer: Localizer, { durations, service }: Plan): string | undefined {
  const [least = 0, most = least] = [durations[0], durations.at(-1)]
  return service.duration.undetermined ? undefined : between(localizer, least, most)
}

const between = ({ say, length }: Localizer, least: number, most: number): string =>
  least === most ? length(least) : say('book.length.range', { least: length(least), most: length(most) })

export const namesOf = ({ locale }: Localizer, service: ServiceDefinition) => localTexts(service, locale)

export function placeText({ say }: Localizer, plan: Plan): string | undefined {
  const { channel } = plan.service
  const places = plan.locations.flatMap((id) => plan.business.locations?.find((one) => one.id === id)?.name ?? [])
  if (channel.type === 'at_buyer_location')
    return channel.service_area ? say('place.yours_in', { area: channel.service_area }) : say('place.yours')
  if (channel.type === 'virtual') return say('place.online')
  if (channel.type === 'phone') return say('place.by_phone')
  return places.length > 0 ? places.join(' · ') : undefined
}
