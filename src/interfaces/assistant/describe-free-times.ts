import { DIFFERENCE_TEXTS } from '../../domain/availability/explain-availability.ts'
import type { Plan } from '../../domain/availability/service-scheduling-plan.ts'
import { englishLocalizer } from '../../infra/i18n/localizer.ts'
import { rfc3339 } from '../../infra/time/time-zone.ts'
import type { TimeSlot } from '../../protocol/types.generated.ts'
import type { Explanation } from './explain-empty-search.ts'
import { quoted, shortened, whenText, withText } from './quote-untrusted-text.ts'
import type { FreeTime } from './search-free-times.ts'

export const MOST_SLOTS = 4
/**
 * The maximum number of characters in one explanation why no time is free. Longer explanations, for example with long
 * names, are cut off.
 */
const LONGEST_REASON = 300

export function timeText({ plan, start, end, slots }: FreeTime, zone: string): string {
  const slotTexts = slots.slice(0, MOST_SLOTS).map((slot) => slotText(slot, plan))
  const left = slots.length - slotTexts.length
  return (
    `- ${whenText(zone, start, end)}: ` +
    `${slotTexts.join('; ')}${left > 0 ? `; and with ${left} others (name them in with)` : ''}`
  )
}

export function insteadText({ plan, reasons, instead }: Explanation, zone: string): string[] {
  const near = instead.map(({ differs, slot }) => {
    const when = whenText(zone, Date.parse(slot.start), Date.parse(slot.end))
    const [first = '', ...letters] = DIFFERENCE_TEXTS[differs]
    return `- ${first.toUpperCase()}${letters.join('')}, ${when}: ${slotText(slot, plan)}`
  })
  return [
    `${plan.service.id} ${quoted(plan.service.name)}: ${reasons.map((one) => quoted(one, LONGEST_REASON)).join(' ')}`,
    ...near,
  ]
}

export const insteadData = ({ plan, reasons, instead }: Explanation) => ({
  service_id: plan.service.id,
  their_words: { reasons: reasons.map((one) => shortened(one, LONGEST_REASON)) },
  instead: instead.map(({ differs, slot: { id, start, end } }) => ({ differs, slot_id: id, start, end })),
})

/**
 * Describes one slot: its people and rooms, its location, its free places and its id. Adds the price if the slots of
 * the service have different prices.
 */
function slotText({ id, resources = [], location, capacity, state, pricing }: TimeSlot, { locations }: Plan): string {
  let text = ''
  if (resources.length > 0) text += `${withText(resources)} `
  if (location?.id !== undefined && locations.length > 1) text += `at ${location.id} `
  if (state === 'waitlist') text += 'FULL (join_waitlist) '
  else if (capacity?.remaining !== undefined) text += `${capacity.remaining} places left `
  if (pricing?.amount !== undefined && pricing.currency !== undefined)
    text += `${englishLocalizer().money(pricing.amount, pricing.currency)} `
  return text + id
}

export const timeData = ({ plan, start, end, slots }: FreeTime, zone: string) => ({
  service_id: plan.service.id,
  start: rfc3339(zone, start),
  end: rfc3339(zone, end),
  slots: slots.slice(0, MOST_SLOTS).map(({ id, resources, location, capacity, state, pricing }) => ({
    slot_id: id,
    ...(resources && { with: resources.map((one) => one.id) }),
    ...(location?.id !== undefined && plan.locations.length > 1 && { location_id: location.id }),
    ...(capacity?.remaining !== undefined && { places_left: capacity.remaining }),
    ...(state === 'waitlist' && { full: true }),
    ...(pricing && { amount: pricing.amount, currency: pricing.currency }),
  })),
})
