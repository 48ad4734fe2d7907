import { expect } from 'vitest'
import type { Booking, Model, Slot } from './model.ts'
import { kinds, MORNING, PLACES, TERMS, tables } from './model-shop.ts'
import type { Real } from './model-steps.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects and fails where it is not
type Found = any

/** Whatever anybody can see of the server is as the model has it. */
export async function expectAgreement(model: Model, real: Real): Promise<void> {
  await Promise.all([
    ...model.bookings.map((booking) => expectBooking(booking, real)),
    ...Object.keys(kinds).map((service) => expectOffered(model, service, real)),
    real.expectTaken(model),
  ])
}

async function expectBooking(booking: Booking, { desks, who, seen }: Real): Promise<void> {
  const { data } = await desks.REST.get(booking.id, { as: who[booking.owner] })
  const { revision, ...found }: Found = data.booking
  const { status, slot, party, expires, due, canceled, notes } = booking
  expect(found).toMatchObject({ id: booking.id, status, slot: { id: slot.id }, party_size: party })
  expect([instant(found.expires_at), found.notes]).toEqual([expires, notes])
  if (kinds[slot.service_id]?.price === undefined) expect(found.payment?.amount_due ?? 0).toBe(0)
  else expect(found.payment).toMatchObject({ amount_due: due, status: paymentStatus(booking) })
  const { by, fee, refund, at } = canceled ?? {}
  expect(found.cancellation && { ...found.cancellation, canceled_at: instant(found.cancellation.canceled_at) }).toEqual(
    canceled && {
      canceled_by: by,
      fee,
      refund_amount: refund,
      canceled_at: at,
      ...(by === 'system' && { reason: expect.any(String) }),
    },
  )
  expectActions(found)
  // Two readings have one revision exactly when they are the same.
  const text = JSON.stringify(found)
  expect(seen.get(revision) ?? text).toBe(text)
  expect([...seen].filter(([other, before]) => before === text && other !== revision)).toEqual([])
  seen.set(revision, text)
}

const instant = (text: string | undefined) => (text === undefined ? undefined : new Date(text).getTime())

function paymentStatus({ collected, refunded, due }: Booking): string {
  if (collected === refunded) return refunded > 0 && due === 0 ? 'refunded' : 'pending'
  if (due > 0) return 'deposit_paid'
  return refunded > 0 ? 'partially_refunded' : 'paid'
}

/** It asks for something exactly as long as something is asked. */
function expectActions({ status, actions = [], expires_at }: Found): void {
  const pending = actions.filter((action: Found) => action.status === 'pending')
  expect(pending.length > 0).toBe(status === 'requires_action')
  if (status !== 'requires_action') expect(actions).toEqual([])
  for (const action of pending) expect(action.expires_at).toBe(expires_at)
}

async function expectOffered(model: Model, service_id: string, { desks, slots }: Real): Promise<void> {
  const query = { service_id, start_date: MORNING, end_date: MORNING }
  const { data } = await desks.REST.call('usp_availability_query', query, { as: {} })
  const mine = slots.filter((slot) => slot.service_id === service_id)
  const free = mine.filter((slot) => slot.start - model.now >= TERMS.notice && model.remaining(slot) > 0)
  expect(data.slots.map(({ id, capacity }: Found) => ({ id, remaining: capacity?.remaining ?? 1 }))).toEqual(
    free.map((slot) => ({ id: slot.id, remaining: model.remaining(slot) })),
  )
  for (const { capacity } of data.slots) if (capacity) expect(capacity.total).toBe(totalOf(service_id))
}

const totalOf = (service_id: string) =>
  kinds[service_id]?.takes === 'places' ? PLACES : tables.reduce((sum, { seats }) => sum + seats, 0)

/** What the ledger should hold: who has which time until when. */
export function takenBy(model: Model) {
  const after = ({ service_id }: Slot) => kinds[service_id]?.after ?? 0
  return model
    .takings()
    .map(({ id, slot, party, table, expires }) => {
      const of = { holder: id, expires: expires ?? null }
      if (kinds[slot.service_id]?.takes === 'places') return { ...of, what: slot.start, spots: party }
      return { ...of, what: table ?? 'staff_ann', from: slot.start, to: slot.end + after(slot) }
    })
    .sort((one, other) => (one.holder < other.holder ? -1 : 1))
}
