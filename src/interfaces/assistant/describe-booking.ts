import { referenceOf, toBooking } from '../../domain/bookings/booking-response.ts'
import { type BookingRow, isBeingChecked } from '../../domain/bookings/booking-row.ts'
import { isFreeToCancel } from '../../domain/bookings/cancel-and-reschedule-rules.ts'
import { cancellationFacts, cancellationText } from '../../domain/bookings/cancellation-costs.ts'
import { isPossible } from '../../domain/bookings/operations-by-status.ts'
import { keptAmountOf, totalOf } from '../../domain/pricing/payment-amounts.ts'
import { englishLocalizer, type Localizer } from '../../infra/i18n/localizer.ts'
import { rfc3339 } from '../../infra/time/time-zone.ts'
import { type Costs, termsOf } from '../booking-pages/cancellation-cost-text.ts'
import { moveRefusal } from '../booking-pages/reschedule-costs-and-limits.ts'
import { idAndName, lines, placeName, quoted, shortened, whenText, withText } from './quote-untrusted-text.ts'
import type { ToolContext } from './tool-definition.ts'

const states: Record<BookingRow['status'], string> = {
  pending: 'requested; the business has to confirm it',
  requires_action: 'not certain yet: the person still has something to do',
  confirmed: 'confirmed',
  in_progress: 'in progress',
  completed: 'over',
  no_show: 'missed: the person did not come',
  canceled: 'canceled',
}

export const stateText = (row: BookingRow, now: Date): string =>
  isBeingChecked(row, now) ? 'not certain yet: its payment is being checked' : states[row.status]

export const serviceAndTimeText = ({ record, starts_at, ends_at }: BookingRow): string =>
  `${quoted(record.service.name)} on ${whenText(record.zone, starts_at.getTime(), ends_at.getTime())} (${record.zone})`

function detailsText({ record: { resources, location, party_size, payment } }: BookingRow): string {
  return [
    resources.length > 0 && withText(resources),
    location && `at ${location.id}`,
    party_size > 1 && `for ${party_size} people`,
    payment && englishLocalizer().money(totalOf(payment), payment.currency),
  ]
    .filter(Boolean)
    .map((part) => `, ${part}`)
    .join('')
}

export const openTasks = (row: BookingRow, { dependencies, now }: ToolContext) =>
  (isBeingChecked(row, now) ? [] : (toBooking(row, dependencies).actions ?? []))
    .filter(({ status }) => status === 'pending')
    .map(({ type, continue_url }) => ({ type, link: continue_url }))

export function bookingData(row: BookingRow, toolContext: ToolContext) {
  const { id, status, starts_at, ends_at, record } = row
  const { zone, resources, location, party_size } = record
  const tasks = openTasks(row, toolContext)
  return {
    booking_id: id,
    reference: referenceOf(row),
    status,
    service_id: row.service_id,
    their_words: { name: shortened(record.service.name, 100), ...placeName(location) },
    start: rfc3339(zone, starts_at.getTime()),
    end: rfc3339(zone, ends_at.getTime()),
    timezone: zone,
    party_size,
    ...(resources.length > 0 && { with: resources.map(idAndName) }),
    ...(location && { location_id: location.id }),
    ...(tasks.length > 0 && { left_to_do: tasks }),
    ...(isAhead(row) && { canceling: cancelingIn(englishLocalizer(), row, toolContext) }),
    ...possibleActions(row, toolContext),
  }
}

function possibleActions(row: BookingRow, toolContext: ToolContext) {
  const canceling = termsOf(row, toolContext.now)
  return {
    ...(isPossible('reschedule', row) && !moveRefusal(row, toolContext.now) && { can_move: true }),
    ...(canceling?.allowed && {
      can_cancel: { cost: costOfCanceling(row, canceling), currency: currencyOf(row, toolContext) },
    }),
  }
}

export const costOfCanceling = ({ record }: Pick<BookingRow, 'record'>, { fee, refund }: Costs): number =>
  Math.max(fee, keptAmountOf(record.payment) - refund)

export const currencyOf = ({ record }: Pick<BookingRow, 'record'>, { definition }: ToolContext): string =>
  record.payment?.currency ?? definition.business.currency

const isAhead = ({ status }: BookingRow) => status === 'confirmed' || status === 'pending'

const cancelingIn = (localizer: Localizer, row: BookingRow, toolContext: ToolContext) =>
  cancellationText(
    isFreeToCancel(row) ? { possible: true } : cancellationFacts(row.record, row.starts_at, toolContext.now),
    { zone: row.record.zone, currency: currencyOf(row, toolContext) },
    localizer,
  ).join(' ')

export const bookingWords = (rows: readonly BookingRow[], toolContext: ToolContext) => (localizer: Localizer) =>
  rows.map((row) => cancelingIn(localizer, row, toolContext))

export function bookingText(row: BookingRow, toolContext: ToolContext): string {
  return lines(
    `- ${row.id} (${referenceOf(row)}): ${row.service_id} ${serviceAndTimeText(row)}${detailsText(row)}: ${stateText(row, toolContext.now)}`,
    ...openTasks(row, toolContext).map(({ type, link }) => `  To do (${type}): ${link}`),
    isAhead(row) && `  ${cancelingIn(englishLocalizer(), row, toolContext)}`,
  )
}
