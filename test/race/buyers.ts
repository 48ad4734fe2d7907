import type { Random } from './random.ts'
import { SERVICES } from './shop.ts'
import type { Call, Said } from './wire.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects and fails where it is not
export type Booking = any
type Slot = Booking

export interface Days {
  start_date: string
  end_date: string
}

/** A platform that books for its buyers whatever comes to its mind, and what it was last told of each booking. */
export interface Buyer {
  call: Call
  seen: Map<string, Booking>
  step(): Promise<void>
  /** Books what is paid at once, on days when nobody else does, and does not pay. */
  leaveUnpaid(quiet: Days): Promise<void>
}

const buyer = { first_name: 'Alice', last_name: 'Williams', email: 'alice@example.com' }

export function makeBuyer(call: Call, random: Random, days: Days): Buyer {
  const { pick, percent } = random
  const seen = new Map<string, Booking>()
  const holds: { id: string; slot: Slot; party: number }[] = []

  const remember = ({ data }: Said) => {
    if (data?.booking) seen.set(data.booking.id, data.booking)
  }
  const anySlot = async (service_id = pick(SERVICES), within = days): Promise<Slot> =>
    pick((await call('usp_availability_query', { service_id, ...within, limit: 200 })).data.slots ?? [])
  const anyBooking = (...statuses: string[]): Booking =>
    pick([...seen.values()].filter(({ status }) => statuses.includes(status)))
  const wish = ({ id, service_id }: Slot) => ({ slot_id: id, service_id })
  const anyParty = (service: string) =>
    service === 'svc_yoga' || service === 'svc_table' ? (pick([1, 2, 3, 5]) ?? 1) : 1

  const acts: Record<string, () => Promise<void>> = {
    async hold() {
      const slot = await anySlot()
      if (!slot) return
      const party = slot.service_id === 'svc_yoga' ? anyParty(slot.service_id) : 1
      const { data } = await call('usp_availability_hold', { ...wish(slot), spots: party })
      if (data?.hold) holds.push({ id: data.hold.id, slot, party })
    },
    async release() {
      const hold = holds.shift()
      if (hold) await call('usp_availability_release', { hold_id: hold.id })
    },
    async book() {
      const held = percent(50) ? holds.pop() : undefined
      const slot = held?.slot ?? (await anySlot())
      if (!slot) return
      const party_size = held && percent(70) ? held.party : anyParty(slot.service_id)
      remember(
        await call('usp_bookings_create', { ...wish(slot), buyer, party_size, ...(held && { hold_id: held.id }) }),
      )
    },
    async pay() {
      const { id, payment } = anyBooking('requires_action') ?? {}
      if (!id) return
      const paid = { status: 'paid', transaction_id: `txn_${id}`, amount_paid: payment.amount_due, currency: 'USD' }
      remember(await call('usp_bookings_confirm_payment', { booking_id: id, payment_result: paid }))
    },
    async move() {
      const booking = anyBooking('confirmed', 'pending')
      const slot = booking && (await anySlot(booking.service_id))
      if (slot) remember(await call('usp_bookings_reschedule', { booking_id: booking.id, slot_id: slot.id }))
    },
    async cancel() {
      const booking = anyBooking('confirmed', 'pending', 'requires_action')
      if (booking) remember(await call('usp_bookings_cancel', { booking_id: booking.id }))
    },
    async read() {
      const booking = pick([...seen.values()])
      if (booking) remember(await call('usp_bookings_get', { booking_id: booking.id }))
    },
  }
  // What is done more often is here more often.
  const habits = ['hold', 'hold', 'book', 'book', 'book', 'pay', 'pay', 'move', 'cancel', 'cancel', 'release', 'read']
  const leaveUnpaid = async (quiet: Days) => {
    const slot = await anySlot('svc_massage', quiet)
    if (slot) remember(await call('usp_bookings_create', { ...wish(slot), buyer }))
  }
  return { call, seen, leaveUnpaid, step: async () => acts[pick(habits) ?? 'read']?.() }
}
