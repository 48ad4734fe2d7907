import { PlainError } from '../../../src/infra/util/command-line-error.ts'
import { money } from '../../../src/infra/util/round-money.ts'
import type { Booking, QueryAvailability } from '../../../src/protocol/types.generated.ts'
import type { Client } from '../index.ts'
import { resultOf } from './command-output.ts'
import type { Command } from './commands.ts'
import { buyer } from './example-buyer.ts'

const DAY = 86_400_000

const dateAfter = (days: number) => new Date(Date.now() + days * DAY).toISOString().slice(0, 10)

export const bookingCommands: Record<string, Command> = {
  slots: {
    argument: 'SERVICE [FROM] [TO]',
    description: 'list its free slots, by default of the coming week',
    run: async (client, service_id = '', start_date = dateAfter(0), end_date = daysAfter(start_date, 6)) =>
      resultOf(await allSlots(client, { service_id, start_date, end_date }), slotsText),
  },
  hold: {
    argument: 'SERVICE SLOT',
    description: 'hold a slot for ten minutes',
    run: async (client, service_id = '', slot_id = '') =>
      resultOf(await client.holdSlot({ service_id, slot_id }), ({ hold }) => `${hold.id}  until ${hold.expires_at}`),
  },
  release: {
    argument: 'HOLD',
    description: 'release a hold',
    run: async (client, hold_id = '') =>
      resultOf(await client.releaseHold({ hold_id }), ({ hold }) => `${hold.id}  ${hold.status}`),
  },
  book: {
    argument: 'SERVICE SLOT [HOLD]',
    description: 'book a slot for Alice Example',
    run: async (client, service_id = '', slot_id = '', hold_id = '') =>
      resultOf(await client.createBooking({ service_id, slot_id, buyer, ...(hold_id && { hold_id }) }), ({ booking }) =>
        bookingText(booking),
      ),
  },
  booking: {
    argument: 'BOOKING',
    description: 'show a booking',
    run: async (client, booking_id = '') =>
      resultOf(await client.getBooking({ booking_id }), ({ booking }) => bookingText(booking)),
  },
  pay: {
    argument: 'BOOKING',
    description: 'report that the amount due was paid',
    run: async (client, booking_id = '') => pay(client, booking_id),
  },
  reschedule: {
    argument: 'BOOKING SLOT',
    description: 'move a booking to another slot of its service',
    run: async (client, booking_id = '', slot_id = '') =>
      resultOf(await client.rescheduleBooking({ booking_id, slot_id }), ({ booking }) => bookingText(booking)),
  },
  cancel: {
    argument: 'BOOKING',
    description: 'cancel a booking by its cancellation terms',
    run: async (client, booking_id = '') =>
      resultOf(await client.cancelBooking({ booking_id }), ({ booking }) => bookingText(booking)),
  },
  queue: {
    argument: 'SERVICE',
    description: 'join the waitlist of a service',
    run: async (client, service_id = '') =>
      resultOf(await client.joinWaitlist({ service_id, buyer }), ({ entry }) => `${entry.id}  place ${entry.position}`),
  },
}

function daysAfter(date: string, days: number): string {
  const from = Date.parse(date)
  if (Number.isNaN(from)) throw new PlainError(`${date} is not a date. Write it like 2026-12-24.`)
  return new Date(from + days * DAY).toISOString().slice(0, 10)
}

/**
 * Tells the business that the buyer has paid the due amount. The example platform takes no money. A real platform must
 * receive the money before this call.
 */
async function pay(client: Client, booking_id: string) {
  const found = await client.getBooking({ booking_id })
  const payment = 'booking' in found ? found.booking.payment : undefined
  if (payment?.amount_due === undefined || payment.currency === undefined || payment.amount_due === 0)
    throw new PlainError('Nothing is due.')
  const status = payment.timing === 'deposit_required' ? 'deposit_paid' : 'paid'
  const payment_result = {
    status,
    transaction_id: `try_${Date.now()}`,
    amount_paid: payment.amount_due,
    currency: payment.currency,
  } as const
  return resultOf(await client.confirmPayment({ booking_id, payment_result }), ({ booking }) => bookingText(booking))
}

/** Reads all pages of available times. Stops at the last page, or when the business refuses a call. */
async function allSlots(client: Client, query: QueryAvailability['input']): ReturnType<Client['queryAvailability']> {
  const page = await client.queryAvailability(query)
  if (!page.slots || !page.pagination?.has_more) return page
  const rest = await allSlots(client, { ...query, cursor: page.pagination.cursor })
  return rest.slots ? { ...rest, slots: [...page.slots, ...rest.slots] } : rest
}

function slotsText({
  slots,
  messages = [],
}: QueryAvailability['output'] & { messages?: { content: string }[] }): string {
  if (slots.length === 0) return messages.map(({ content }) => content).join(' ') || 'Nothing is free.'
  return slots
    .map(({ id, start, state, resources = [] }) => [
      start,
      resources.map(({ name }) => name).join(', '),
      state === 'available' ? '' : state,
      id,
    ])
    .map((parts) => parts.filter(Boolean).join('  '))
    .join('\n')
}

function bookingText({ id, service_name, slot, status, payment, actions = [], cancellation }: Booking): string {
  const { currency = '' } = payment ?? {}
  return [
    `${id}  ${status.replaceAll('_', ' ')}  ${service_name}  ${slot.start}`,
    ...(payment?.amount_due ? [`due: ${money(payment.amount_due, currency)}`] : []),
    ...actions
      .filter((action) => action.status === 'pending')
      .map(({ type, continue_url }) => `${type}: ${continue_url}`),
    ...(cancellation?.refund_amount ? [`refunded: ${money(cancellation.refund_amount, currency)}`] : []),
  ].join('\n')
}
