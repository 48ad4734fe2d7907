import type { Plan } from '../../domain/availability/service-scheduling-plan.ts'
import { namedResources, readSlotId, type SlotKey } from '../../domain/availability/time-slot-response.ts'
import { paymentFor } from '../../domain/pricing/booking-price.ts'
import { englishLocalizer, type Localizer } from '../../infra/i18n/localizer.ts'
import { rfc3339 } from '../../infra/time/time-zone.ts'
import { shownPlan } from '../booking-flow/listed-services.ts'
import { type Choice, choosableResources, partySizes } from '../booking-flow/visitor-choices.ts'
import { idAndName, placeName, quoted, shortened, whenText, withText } from './quote-untrusted-text.ts'
import { type ToolContext, ToolError } from './tool-definition.ts'

export interface Chosen {
  plan: Plan
  key: SlotKey
  party: number
}

export const slotIdInput = { type: 'string', maxLength: 4000, description: 'From find_times, unchanged.' }
export const partyInput = { type: 'integer', minimum: 1, maximum: 10_000, description: 'The number of people.' }

export function chosenOf(
  { definition, dependencies }: ToolContext,
  { slot_id, party_size }: { slot_id: string; party_size?: number },
): Chosen {
  const key = readSlotId(dependencies.tag, slot_id)
  const plan = key && shownPlan(definition, key.service)
  if (!key || !plan) throw new ToolError('There is no such slot_id. Copy one from find_times unchanged.')
  const sizes = partySizes(plan)
  const party = party_size ?? sizes[0] ?? 1
  if (sizes.includes(party)) return { plan, key, party }
  const [least, most] = [sizes[0] ?? 1, sizes.at(-1) ?? 1]
  throw new ToolError(
    least === most
      ? `The number of people is always ${least}: leave out party_size.`
      : `It is for ${least} to ${most} people: ask for as many as party_size.`,
  )
}

/**
 * Converts the slot that an assistant chose to the choices of a visitor on the booking pages, such as the location and
 * the duration.
 */
export const choiceOf = ({ plan, key, party }: Chosen, day: string | undefined): Choice => ({
  party,
  day,
  from: undefined,
  location: key.location,
  persons: choosableResources(plan).flatMap(({ id }) => (key.picks.includes(id) ? id : [])),
  length: plan.durations.find((one) => one === key.end - key.start) ?? plan.durations[0] ?? 0,
})

export function chosenData(chosen: Chosen) {
  const { plan, key, party } = chosen
  const people = namedResources(plan, key.picks).map(idAndName)
  const place = plan.business.locations?.find(({ id }) => id === key.location)
  return {
    service_id: plan.service.id,
    their_words: { name: shortened(plan.service.name, 100), ...placeName(place) },
    start: rfc3339(plan.zone, key.start),
    end: rfc3339(plan.zone, key.end),
    timezone: plan.zone,
    ...(people.length > 0 && { with: people }),
    ...(key.location !== undefined && { location_id: key.location }),
    party_size: party,
    price: priceText(chosen, englishLocalizer()),
  }
}

export function chosenText(chosen: Chosen): string {
  const { plan, key, party } = chosen
  const data = chosenData(chosen)
  return [
    `${quoted(data.their_words.name)} on ${whenText(plan.zone, key.start, key.end)} (${plan.zone})`,
    data.with && withText(data.with),
    data.location_id !== undefined && `at ${data.location_id}`,
    party > 1 && `for ${party} people`,
    data.price,
  ]
    .filter(Boolean)
    .join(', ')
}

export function priceText({ plan, key, party }: Chosen, { say, money }: Localizer): string {
  const payment = paymentFor({ plan, time: key }, party)
  if (!payment) return say('booking.price.none')
  const { amount, tax, currency, due } = payment
  const price = money(amount + tax, currency)
  if (due === 0) return say('booking.price.at_service', { price })
  return due < amount + tax
    ? say('booking.price.deposit', { price, deposit: money(due, currency) })
    : `${price} · ${say('booking.due_now')}`
}
