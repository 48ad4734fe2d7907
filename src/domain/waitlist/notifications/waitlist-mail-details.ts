import { momentText, timeRange } from '../../../infra/i18n/format-times.ts'
import type { Localizer } from '../../../infra/i18n/localizer.ts'
import type { Tag } from '../../../protocol/keyed-digest.ts'
import type { BusinessDefinition } from '../../../protocol/types.generated.ts'
import { type Plan, planOf } from '../../availability/service-scheduling-plan.ts'
import { namedResources, readSlotId } from '../../availability/time-slot-response.ts'
import { restBesideDeposit } from '../../bookings/booking-amounts-owed.ts'
import { placeText } from '../../bookings/booking-location-text.ts'
import { localTexts } from '../../catalog/localized-texts.ts'
import { priceText, type Row, rowsWithValue } from '../../notifications/booking-summary-rows.ts'
import { leastPayment, paymentFor } from '../../pricing/booking-price.ts'
import type { Payment } from '../../pricing/payment-amounts.ts'
import { preferredTimesText } from '../preferred-times-text.ts'
import type { EntryRow } from '../queries.ts'

/**
 * Returns the rows of the table in a waitlist mail: service, times, location, staff members and price. If the business
 * no longer offers the service, the mail shows the service id instead of the name.
 */
export function entryRows(data: NotificationData): Row[] {
  const { entry, definition, localizer } = data
  const { say, money } = localizer
  const plan = planOf(definition, entry.service_id)
  const payment = offeredPayment(data)
  const isOffered = entry.status === 'offered'
  const rest = restBesideDeposit(payment)
  return rowsWithValue([
    [say('letter.row.what'), serviceName(data)],
    [say('letter.row.when'), timesOf(data).join('\n')],
    [say('letter.row.where'), plan && placesOf(plan, data).join('\n')],
    [say('letter.row.with'), plan && localizer.list(peopleOf(plan, data))],
    [say('letter.row.price'), plan && priceOf(plan, data)],
    [
      say('booking.due_now'),
      isOffered && payment && payment.due > 0 ? money(payment.due, payment.currency) : undefined,
    ],
    [say('letter.row.rest'), isOffered && payment && rest > 0 ? money(rest, payment.currency) : undefined],
    [say('waiting.until'), entry.status === 'waiting' && entry.over_at ? untilOf(data, entry.over_at) : undefined],
  ])
}

export function serviceName({ entry, definition, localizer }: NotificationData): string {
  const service = definition.services.find(({ id }) => id === entry.service_id)
  return service ? localTexts(service, localizer.locale).name : entry.service_id
}

/**
 * Returns the payment for the offered slot. Without an offer, it returns the payment for the slot that the entry waits
 * for. The result is undefined if the entry names no slot, or if the slot is free of charge.
 */
export function offeredPayment(data: NotificationData): Payment | undefined {
  const plan = planOf(data.definition, data.entry.service_id)
  const time = slotOf(data)
  return plan && time && paymentFor({ plan, time }, 1)
}

const slotOf = ({ entry, tag }: NotificationData) => readSlotId(tag, entry.offered_slot_id ?? entry.slot_id ?? '')

function timesOf({ entry, definition, localizer, tag }: NotificationData): string[] {
  const { offered_from: from, offered_to: to } = entry
  const zone = definition.business.timezone
  return from && to ? [timeRange(localizer, from, to, zone)] : preferredTimesText(entry, localizer, zone, tag)
}

function placesOf(plan: Plan, data: NotificationData): string[] {
  const { definition, localizer } = data
  const { channel } = plan.service
  const slot = slotOf(data)
  const places = (slot ? [slot.location] : plan.locations).map((id) => {
    const location = definition.locations?.find((one) => one.id === id)
    return placeText({ channel, location }, definition, localizer) ?? localizer.say('place.yours')
  })
  return [...new Set(places)]
}

const peopleOf = (plan: Plan, data: NotificationData): string[] =>
  namedResources(plan, slotOf(data)?.picks ?? [], data.localizer.locale).map(({ name }) => name)

function priceOf(plan: Plan, data: NotificationData): string {
  const { localizer } = data
  const { payment, isForAll } = slotOf(data)
    ? { payment: offeredPayment(data), isForAll: true }
    : leastPayment(plan, 1, data.entry.updated_at)
  if (!payment) return localizer.say('booking.price.none')
  const price = priceText(payment, true, localizer)
  return isForAll ? price : localizer.say('book.price.from', { price })
}

const untilOf = ({ localizer, definition }: NotificationData, instant: Date) =>
  momentText(localizer, instant, definition.business.timezone)

export interface NotificationData {
  entry: EntryRow
  localizer: Localizer
  definition: BusinessDefinition
  tag: Tag
  page: string
  /** The URL of the page of an earlier entry. Set if the same email address already waits for the same times. */
  earlierPage: string | undefined
}
