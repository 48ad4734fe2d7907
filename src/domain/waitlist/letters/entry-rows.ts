import type { Localizer } from '../../../infra/i18n/localizer.ts'
import { momentText, timeRange } from '../../../infra/i18n/times.ts'
import type { Tag } from '../../../protocol/tags.ts'
import type { BusinessDefinition } from '../../../protocol/types.generated.ts'
import { type Plan, planOf } from '../../availability/plan.ts'
import { namedResources, readSlotId } from '../../availability/time-slot.ts'
import { restBesideDeposit } from '../../bookings/booking-money.ts'
import { placeText } from '../../bookings/booking-place.ts'
import { localTexts } from '../../catalog/localized-texts.ts'
import { priceText, type Row, rowsWithValue } from '../../notifications/rows.ts'
import { leastPayment, paymentFor } from '../../pricing/booking-price.ts'
import type { Payment } from '../../pricing/payment.ts'
import { preferredTimesText } from '../preferred-times-text.ts'
import type { EntryRow } from '../queries.ts'

/** The rows of the summary: service, times, location, people and price. For a removed service, the id replaces the name. */
export function entryRows(about: NotificationData): Row[] {
  const { entry, definition, localizer } = about
  const { say, money } = localizer
  const plan = planOf(definition, entry.service_id)
  const payment = offeredPayment(about)
  const isOffered = entry.status === 'offered'
  const rest = restBesideDeposit(payment)
  return rowsWithValue([
    [say('letter.row.what'), serviceName(about)],
    [say('letter.row.when'), timesOf(about).join('\n')],
    [say('letter.row.where'), plan && placesOf(plan, about).join('\n')],
    [say('letter.row.with'), plan && localizer.list(peopleOf(plan, about))],
    [say('letter.row.price'), plan && priceOf(plan, about)],
    [
      say('booking.due_now'),
      isOffered && payment && payment.due > 0 ? money(payment.due, payment.currency) : undefined,
    ],
    [say('letter.row.rest'), isOffered && payment && rest > 0 ? money(rest, payment.currency) : undefined],
    [say('waiting.until'), entry.status === 'waiting' && entry.over_at ? untilOf(about, entry.over_at) : undefined],
  ])
}

export function serviceName({ entry, definition, localizer }: NotificationData): string {
  const service = definition.services.find(({ id }) => id === entry.service_id)
  return service ? localTexts(service, localizer.locale).name : entry.service_id
}

/** The payment that the buyer agrees to by accepting. Undefined when the entry names no slot, or when nothing is due. */
export function offeredPayment(about: NotificationData): Payment | undefined {
  const plan = planOf(about.definition, about.entry.service_id)
  const time = slotOf(about)
  return plan && time && paymentFor({ plan, time }, 1)
}

const slotOf = ({ entry, tag }: NotificationData) => readSlotId(tag, entry.offered_slot_id ?? entry.slot_id ?? '')

function timesOf({ entry, definition, localizer, tag }: NotificationData): string[] {
  const { offered_from: from, offered_to: to } = entry
  const zone = definition.business.timezone
  return from && to ? [timeRange(localizer, from, to, zone)] : preferredTimesText(entry, localizer, zone, tag)
}

function placesOf(plan: Plan, about: NotificationData): string[] {
  const { definition, localizer } = about
  const { channel } = plan.service
  const slot = slotOf(about)
  const places = (slot ? [slot.location] : plan.locations).map((id) => {
    const location = definition.locations?.find((one) => one.id === id)
    return placeText({ channel, location }, definition, localizer) ?? localizer.say('place.yours')
  })
  return [...new Set(places)]
}

const peopleOf = (plan: Plan, about: NotificationData): string[] =>
  namedResources(plan, slotOf(about)?.picks ?? [], about.localizer.locale).map(({ name }) => name)

function priceOf(plan: Plan, about: NotificationData): string {
  const { localizer } = about
  const { payment, isForAll } = slotOf(about)
    ? { payment: offeredPayment(about), isForAll: true }
    : leastPayment(plan, 1, about.entry.updated_at)
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
  /** Page of an earlier entry of this address for the same wish. */
  earlierPage: string | undefined
}
