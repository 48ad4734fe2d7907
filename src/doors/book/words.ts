import type { AvailableTime } from '../../availability/available-times.ts'
import type { Plan } from '../../availability/plan.ts'
import { hasSlotPrices, slotAmount } from '../../availability/slot-price.ts'
import { depositOf } from '../../bookings/price.ts'
import { localTexts } from '../../catalog/local-texts.ts'
import type { Speech } from '../../languages/speech.ts'
import type { ServiceDefinition } from '../../protocol/types.generated.ts'

/** What a service costs, before a time is chosen. */
export function priceText({ say, money }: Speech, { pricing }: Pick<ServiceDefinition, 'pricing'>): string {
  const { model, amount, currency, price_range: range } = pricing
  if (model === 'free') return say('book.free')
  if (model === 'variable' && range)
    return range.min === range.max
      ? money(range.min, currency)
      : say('book.price.from', { price: money(range.min, currency) })
  if (amount === undefined) return say('book.price.later')
  const price = money(amount, currency)
  if (model === 'hourly') return say('book.price.hourly', { price })
  if (model === 'per_person') return say('book.price.per_person', { price })
  return model === 'variable' ? say('book.price.from', { price }) : price
}

/** What is paid of it in advance, where the rest is paid at the visit. */
export function depositText(speech: Speech, { service, business }: Plan): string | undefined {
  const { requires_payment, payment_timing } = service.policies
  const { deposit = null, model, amount, currency } = service.pricing
  const isAsked = requires_payment && payment_timing === 'deposit_required' && business.deployment_mode !== 'ucp_native'
  const { type, value = 0 } = deposit ?? {}
  if (!isAsked || value === 0) return undefined
  const isKnown =
    type !== 'percentage' || (model === 'fixed' && amount !== undefined && service.price_rules === undefined)
  const share = isKnown ? speech.money(depositOf({ deposit }, amount ?? 0), currency) : speech.percent(value)
  return speech.say('book.deposit', { deposit: share })
}

/** What this very time costs, where not all cost the same. */
export const timePrice = ({ money }: Speech, plan: Plan, time: AvailableTime): string | undefined =>
  hasSlotPrices(plan) ? money(slotAmount(plan, time), plan.service.pricing.currency) : undefined

export function lengthText(speech: Speech, { durations, service }: Plan): string | undefined {
  const [least = 0, most = least] = [durations[0], durations.at(-1)]
  if (service.duration.undetermined) return undefined
  if (least === most) return speech.length(least)
  return speech.say('book.length.range', { least: speech.length(least), most: speech.length(most) })
}

export const namesOf = ({ locale }: Speech, service: ServiceDefinition) => localTexts(service, locale)

/** Where it takes place, as far as that is one thing. */
export function placeText({ say }: Speech, plan: Plan): string | undefined {
  const { channel } = plan.service
  const places = plan.locations.flatMap((id) => plan.business.locations?.find((one) => one.id === id)?.name ?? [])
  if (channel.type === 'at_buyer_location')
    return channel.service_area ? say('place.yours_in', { area: channel.service_area }) : say('place.yours')
  if (channel.type === 'virtual') return say('place.online')
  if (channel.type === 'phone') return say('place.by_phone')
  return places.length > 0 ? places.join(' · ') : undefined
}
