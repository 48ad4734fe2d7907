import type { Localizer } from '../../../infra/i18n/localizer.ts'
import { momentText, timeRange } from '../../../infra/i18n/times.ts'
import type { Tag } from '../../../protocol/tags.ts'
import type { BusinessDefinition } from '../../../protocol/types.generated.ts'
import { type Plan, planOf } from '../../availability/plan.ts'
import { namedResources, readSlotId } from '../../availability/time-slot.ts'
import { restBesideDeposit } from '../../bookings/booking-money.ts'
import { placeText } from '../../bookings/place.ts'
import { leastPayment, paymentFor } from '../../bookings/price.ts'
import { localTexts } from '../../catalog/local-texts.ts'
import { priceText, type Row, rowsWithValue } from '../../notifications/rows.ts'
import type { Payment } from '../../payments/payment.ts'
import { preferredTimesText } from '../preferred-times-text.ts'
import type { EntryRow } from '../queries.ts'

/** The rows of the summary: service, times, location, people and price. For a removed service, the id replaces the name. */
export function entryRows(about: NotificationData): Row[] {
  const { entry, definition, speech } = about
  const { say, money } = speech
  const plan = planOf(definition, entry.service_id)
  const payment = offeredPayment(about)
  const isOffered = entry.status === 'offered'
  const rest = restBesideDeposit(payment)
  return rowsWithValue([
    [say('letter.row.what'), serviceName(about)],
    [say('letter.row.when'), timesOf(about).join('\n')],
    [say('letter.row.where'), plan && placesOf(plan, about).join('\n')],
    [say('letter.row.with'), plan && speech.list(peopleOf(plan, about))],
    [say('letter.row.price'), plan && priceOf(plan, about)],
    [
      say('booking.due_now'),
      isOffered && payment && payment.due > 0 ? money(payment.due, payment.currency) : undefined,
    ],
    [say('letter.row.rest'), isOffered && payment && rest > 0 ? money(rest, payment.currency) : undefined],
    [say('waiting.until'), entry.status === 'waiting' && entry.over_at ? untilOf(about, entry.over_at) : undefined],
  ])
}

export function serviceName({ entry, definition, speech }: NotificationData): string {
  const service = definition.services.find(({ id }) => id === entry.service_id)
  return service ? localTexts(service, speech.locale).name : entry.service_id
}

/** The payment that the buyer agrees to by accepting. Undefined when the entry names no slot, or when nothing is due. */
export function offeredPayment(about: NotificationData): Payment | undefined {
  const plan = planOf(about.definition, about.entry.service_id)
  const time = slotOf(about)
  return plan && time && paymentFor({ plan, time }, 1)
}

const slotOf = ({ entry, tag }: NotificationData) => readSlotId(tag, entry.offered_slot_id ?? entry.slot_id ?? '')

function timesOf({ entry, definition, speech, tag }: NotificationData): string[] {
  const { offered_from: from, offered_to: to } = entry
  const zone = definition.business.timezone
  return from && to ? [timeRange(speech, from, to, zone)] : preferredTimesText(entry, speech, zone, tag)
}

function placesOf(plan: Plan, about: NotificationData): string[] {
  const { definition, speech } = about
  const { channel } = plan.service
  const slot = slotOf(about)
  const places = (slot ? [slot.location] : plan.locations).map((id) => {
    const location = definition.locations?.find((one) => one.id === id)
    return placeText({ channel, location }, definition, speech) ?? speech.say('place.yours')
  })
  return [...new Set(places)]
}

const peopleOf = (plan: Plan, about: NotificationData): string[] =>
  namedResources(plan, slotOf(about)?.picks ?? [], about.speech.locale).map(({ name }) => name)

function priceOf(plan: Plan, about: NotificationData): string {
  const { speech } = about
  const { payment, isForAll } = slotOf(about)
    ? { payment: offeredPayment(about), isForAll: true }
    : leastPayment(plan, 1, about.entry.updated_at)
  if (!payment) return speech.say('booking.price.none')
  const price = priceText(payment, true, speech)
  return isForAll ? price : speech.say('book.price.from', { price })
}

const untilOf = ({ speech, definition }: NotificationData, instant: Date) =>
  momentText(speech, instant, definition.business.timezone)

export interface NotificationData {
  entry: EntryRow
  speech: Localizer
  definition: BusinessDefinition
  tag: Tag
  page: string
  /** Page of an earlier entry of this address for the same wish. */
  earlierPage: string | undefined
}
