import type { BookingRow } from '../../bookings/booking-row.ts'
import { owedFee } from '../../bookings/owed-fee.ts'
import { collectedOf, refundedOf } from '../../payments/payment.ts'
import { formatTimeRange, money } from '../pages/format.ts'
import { type Content, html } from '../pages/html.ts'
import type { PageContext } from './page-context.ts'

/** What was booked, for when, where, and what it costs. */
export function summary({ booking, definition }: PageContext): Content {
  const { record, starts_at, ends_at } = booking
  const rows: [string, string | undefined][] = [
    ['What', record.service.name],
    ['When', formatTimeRange(starts_at, ends_at, record.zone)],
    ['Where', place(booking, definition)],
    ['With', record.resources.map(({ name }) => name).join(', ') || undefined],
    ['For', record.party_size > 1 ? `${record.party_size} people` : undefined],
    ['Price', price(booking)],
    ['Paid', paid(booking)],
    ['Open', open(booking)],
  ]
  return html`<dl>
${rows.map(([name, text]) => text !== undefined && html`<div><dt>${name}</dt><dd>${text}</dd></div>`)}
</dl>`
}

function place({ record, people }: BookingRow, { locations = [] }: PageContext['definition']): string | undefined {
  if (record.location) {
    const { id, name } = record.location
    const address = locations.find((one) => one.id === id)?.address
    return address === undefined ? name : `${name}, ${address}`
  }
  switch (record.service.channel.type) {
    case 'at_buyer_location':
      return people.delivery_address && `${people.delivery_address.line1}, ${people.delivery_address.city}`
    case 'virtual':
      return 'Online'
    case 'phone':
      return 'By phone'
    default:
      return undefined
  }
}

function price({ record: { payment } }: BookingRow): string {
  if (!payment) return 'Nothing to pay'
  const { timing, amount, tax, deposit, currency } = payment
  const total = `${money(amount + tax, currency)}${tax > 0 ? ` (${money(tax, currency)} of it tax)` : ''}`
  if (timing === 'at_service') return `${total}, to be paid at the appointment`
  return deposit === undefined ? total : `${total}; deposit ${money(deposit, currency)}`
}

function paid({ record: { payment } }: BookingRow): string | undefined {
  if (!payment || payment.received.length === 0) return undefined
  const { currency } = payment
  const back = refundedOf(payment)
  return `${money(collectedOf(payment), currency)}${back > 0 ? `, ${money(back, currency)} returned` : ''}`
}

/** What a booking that stands already still owes; where it has to be paid first, there is a page for that. */
function open(booking: BookingRow): string | undefined {
  const fee = owedFee(booking)
  if (fee) return `${money(fee.amount_due, fee.currency)}, since nobody came`
  const {
    status,
    record: { payment },
  } = booking
  const stands = status === 'confirmed' || status === 'in_progress' || status === 'completed'
  return stands && payment && payment.due > 0 ? money(payment.due, payment.currency) : undefined
}
