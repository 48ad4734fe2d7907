import { toBooking } from '../../bookings/booking.ts'
import type { BookingRow } from '../../bookings/booking-row.ts'
import { cancelingFacts, cancelingText } from '../../bookings/canceling.ts'
import { referenceOf } from '../../bookings/reference.ts'
import { english } from '../../languages/speech.ts'
import { written } from '../../time/zone.ts'
import type { Asked } from './tool.ts'
import { cut, lines, theirs, whenText } from './words.ts'

export const states: Record<BookingRow['status'], string> = {
  pending: 'asked for, and the business has to confirm it',
  requires_action: 'not certain yet, since the person has something left to do',
  confirmed: 'confirmed',
  in_progress: 'under way',
  completed: 'over',
  no_show: 'over, and nobody came',
  canceled: 'canceled',
}

export const whatText = ({ record, starts_at, ends_at }: BookingRow): string =>
  `${theirs(record.service.name)} on ${whenText(record.zone, starts_at.getTime(), ends_at.getTime())} (${record.zone})`

/** What the person has to do themselves, each with the page for it. */
const openTasks = (row: BookingRow, { means }: Asked) =>
  (toBooking(row, means).actions ?? [])
    .filter(({ status }) => status === 'pending')
    .map(({ type, continue_url }) => ({ type, link: continue_url }))

export function bookingData(row: BookingRow, asked: Asked) {
  const { id, status, starts_at, ends_at, record } = row
  const { zone, resources, location, party_size } = record
  const tasks = openTasks(row, asked)
  return {
    ...{ booking_id: id, reference: referenceOf(row), status, service_id: row.service_id },
    their_words: { name: cut(record.service.name, 100) },
    ...{ start: written(zone, starts_at.getTime()), end: written(zone, ends_at.getTime()), timezone: zone, party_size },
    ...(resources.length > 0 && { with: resources.map((one) => ({ id: one.id, name: cut(one.name, 100) })) }),
    ...(location && { location_id: location.id }),
    ...(tasks.length > 0 && { left_to_do: tasks }),
  }
}

export function bookingText(row: BookingRow, asked: Asked): string {
  const { status, record, starts_at } = row
  const currency = record.payment?.currency ?? asked.definition.business.currency
  const facts = cancelingFacts(record, starts_at, asked.now)
  const isAhead = status === 'confirmed' || status === 'pending'
  return lines(
    `- ${row.id} (${referenceOf(row)}): ${whatText(row)}, ${states[status]}`,
    ...openTasks(row, asked).map(({ type, link }) => `  To do (${type}): ${link}`),
    isAhead && `  ${cancelingText(facts, { zone: record.zone, currency }, english()).join(' ')}`,
  )
}
