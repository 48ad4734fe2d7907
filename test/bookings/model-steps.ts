import fc from 'fast-check'
import { expect } from 'vitest'
import type { Desk, Said, Who } from '../support/desk.ts'
import type { Booking, Model, Owner, Slot, Verdict } from './model.ts'
import { expectAgreement } from './model-agreement.ts'
import { kinds } from './model-shop.ts'

/** The server that is held against the model. */
export interface Real {
  desks: Record<'REST' | 'MCP', Desk>
  who: Record<Owner, Who>
  slots: Slot[]
  setClock(now: number): void
  /** What was last read of each booking, by its revision. */
  seen: Map<string, string>
  expectTaken(model: Model): Promise<void>
}

export type Step = fc.AsyncCommand<Model, Real>

/** One thing that is done on both; whatever it is, afterwards they agree. */
const step = (
  told: string,
  does: (model: Model, real: Real) => Promise<void>,
  can?: (model: Model) => boolean,
): Step => ({
  check: (model) => can?.(model) ?? true,
  async run(model, real) {
    await does(model, real)
    await expectAgreement(model, real)
  },
  toString: () => told,
})

const expectCode = ({ code }: Said, verdict: Verdict) => expect(code).toBe(verdict)
/** Counted from the last, so that what was just made is taken up more often. */
function pick<T>(from: T[], index: number): T {
  const found = from.at(-1 - (index % from.length))
  if (found === undefined) throw new Error('There is nothing to pick from')
  return found
}
const partyFor = (slot: Slot, party: number) => (kinds[slot.service_id]?.takes === 'ann' ? 1 : party)
const spots = (party: number) => (party === 1 ? {} : { party_size: party })

const owner = fc.oneof({ weight: 9, arbitrary: fc.constant<Owner>('one') }, fc.constant<Owner>('other'))
const over = fc.constantFrom<'REST' | 'MCP'>('REST', 'MCP')
const index = fc.nat({ max: 60 })
const recent = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, index)
const party = fc.integer({ min: 1, max: 3 })
/** Mostly without a hold, else with one of those there are. */
const withHold = fc.option(recent, { freq: 2 })

const hold = fc.record({ owner, over, at: index, party }).map((it) =>
  step(`hold(${JSON.stringify(it)})`, async (model, { desks, who, slots }) => {
    const slot = pick(slots, it.at)
    const size = partyFor(slot, it.party)
    const verdict = model.hold(it.owner, slot, size)
    const said = await desks[it.over].hold(slot, { spots: size }, { as: who[it.owner] })
    if (typeof verdict === 'string' || !verdict) return expectCode(said, verdict)
    expectCode(said, undefined)
    verdict.id = said.data.hold.id
  }),
)

const heldBy = ({ holds }: Model, nth: number | null) =>
  nth === null || holds.length === 0 ? undefined : pick(holds, nth)
const hasHolds = ({ holds }: Model) => holds.length > 0
const hasBookings = ({ bookings }: Model) => bookings.length > 0

const release = fc.record({ owner, over, which: recent }).map((it) =>
  step(
    `release(${JSON.stringify(it)})`,
    async (model, { desks, who }) => {
      const held = pick(model.holds, it.which)
      const verdict = model.release(it.owner, held)
      expectCode(await desks[it.over].release(held.id, { as: who[it.owner] }), verdict)
    },
    // Whoever gives up more has to wait: that is no matter of bookings.
    (model) => hasHolds(model) && model.releases < 4,
  ),
)

const book = fc.record({ owner, over, at: index, party, withHold, fits: fc.boolean() }).map((it) =>
  step(`book(${JSON.stringify(it)})`, async (model, { desks, who, slots }) => {
    const held = heldBy(model, it.withHold)
    const slot = held && it.fits ? held.slot : pick(slots, it.at)
    const size = partyFor(slot, it.party)
    const verdict = model.book(it.owner, slot, size, held)
    const more = { ...spots(size), ...(held && { hold_id: held.id }) }
    const said = await desks[it.over].book(slot, more, { as: who[it.owner] })
    if (typeof verdict === 'string' || !verdict) return expectCode(said, verdict)
    expectCode(said, undefined)
    verdict.id ||= said.data.booking.id
    expect(said.data.booking.id).toBe(verdict.id)
  }),
)

/** Which booking: mostly one for which it means something. */
const which = fc.record({ apt: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, fc.constant(false)), nth: recent })
type Which = { apt: boolean; nth: number }

function chosen({ bookings }: Model, { apt, nth }: Which, statuses: Booking['status'][]): Booking {
  const fitting = bookings.filter(({ status }) => statuses.includes(status))
  return pick(apt && fitting.length > 0 ? fitting : bookings, nth)
}

/** Something that is done to a booking. */
const toBooking = (
  name: string,
  statuses: Booking['status'][],
  on: (model: Model, booking: Booking, by: Owner) => Verdict,
  call: (desk: Desk, booking: Booking, as: Who) => Promise<Said>,
) =>
  fc.record({ owner, over, which }).map((it) =>
    step(
      `${name}(${JSON.stringify(it)})`,
      async (model, { desks, who }) => {
        const booking = chosen(model, it.which, statuses)
        const before = { ...booking }
        const verdict = on(model, booking, it.owner)
        expectCode(await call(desks[it.over], before, who[it.owner]), verdict)
      },
      hasBookings,
    ),
  )

const cancel = toBooking(
  'cancel',
  [],
  (model, booking, by) => model.cancel(by, booking),
  (desk, { id }, as) => desk.cancel(id, {}, { as }),
)
const confirm = toBooking(
  'confirm',
  ['pending'],
  (model, booking) => model.confirm(booking),
  (desk, { id }) => desk.confirm(id),
)
const NOTES = 'Ring twice'
const update = toBooking(
  'update',
  ['pending', 'requires_action', 'confirmed'],
  (model, booking, by) => model.update(by, booking, NOTES),
  (desk, { id }, as) => desk.update(id, { notes: NOTES }, { as }),
)
const pay = toBooking(
  'pay',
  ['requires_action'],
  (model, booking, by) => model.pay(by, booking),
  (desk, { id, due }, as) =>
    desk.pay({ id, payment: { timing: 'at_booking', amount_due: due, currency: 'USD' } }, {}, { as }),
)

const move = fc.record({ owner, over, which, at: index, withHold, fits: fc.boolean() }).map((it) =>
  step(
    `move(${JSON.stringify(it)})`,
    async (model, { desks, who, slots }) => {
      const booking = chosen(model, it.which, ['confirmed'])
      const held = heldBy(model, it.withHold)
      const same = slots.filter(({ service_id }) => service_id === booking.slot.service_id)
      const slot = held && it.fits ? held.slot : pick(it.at % 5 === 0 ? slots : same, it.at)
      const verdict = model.move(it.owner, booking, slot, held)
      const more = held ? { hold_id: held.id } : {}
      expectCode(await desks[it.over].reschedule(booking.id, slot, more, { as: who[it.owner] }), verdict)
    },
    hasBookings,
  ),
)

const pass = fc.constantFrom(1, 9, 10, 15, 60, 24 * 60, 70 * 60).map((minutes) =>
  step(`pass(${minutes})`, async (model, real) => {
    model.pass(minutes)
    real.setClock(model.now)
  }),
)

export const steps = fc.commands(
  [hold, book, book, book, move, move, move, pay, pay, confirm, update, cancel, release, pass],
  {
    maxCommands: 40,
    size: 'max',
  },
)
