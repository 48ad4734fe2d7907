import { setTimeout as sleep } from 'node:timers/promises'
import type { Members } from '../../caller/answer.ts'
import type { Caller } from '../../caller/caller.ts'
import { type CheckContext, credentialOf } from '../../run/check-context.ts'
import { expectMembers } from '../../run/expectations.ts'
import { Mismatch, Skip } from '../../run/mismatch.ts'
import { dateIn, type Slot, type SlotWish } from '../../target/free-slots.ts'

/** Ten years ahead no business has slots, so an entry that waits for these days gets no offer. */
export const NEVER_OFFERED = [{ start_date: dateIn(3650), end_date: dateIn(3651) }]

const MAX_RESERVATIONS = 12
const OFFER_WAIT_MS = 8_000

export interface Entry extends Members {
  id: string
  status: string
  position: number
}

/** A slot without a free spot. To cancel `booking` frees one spot. */
export interface FullSlot {
  service: Members
  slot: Slot
  booking: Members
  /** Another platform, which made the booking. */
  booker: Caller
}

export const hasWaitlist = (service: Members): boolean =>
  (service.capacity as Members | undefined)?.waitlist === true && (service.status ?? 'active') === 'active'

/** A service with a waitlist of which a booking is confirmed at once, without payment ahead. */
export const waitlistService = (c: CheckContext): Members =>
  c.service('service with a waitlist that is confirmed at once, without payment ahead', isConfirmedAtOnce)

function isConfirmedAtOnce(service: Members): boolean {
  const policies = service.policies as Members | undefined
  const isPaidLater = policies?.requires_payment === false || policies?.payment_timing === 'at_service'
  return hasWaitlist(service) && policies?.confirmation_mode === 'auto' && isPaidLater
}

export const anyWaitlistService = (c: CheckContext): Members => c.service('service with a waitlist', hasWaitlist)

/**
 * The service for entries that wait for whole days. Such an entry also gets the spots that other running checks release,
 * so these entries wait for a service that most other checks do not use, if the catalogue has one.
 */
export function dayWaitlistService(c: CheckContext): Members {
  return c.services.find((service) => hasWaitlist(service) && !isConfirmedAtOnce(service)) ?? anyWaitlistService(c)
}

/** Joins the waitlist, by default for days that are never offered, and leaves it after the check. */
export async function join(
  c: CheckContext,
  { caller = c.caller, ...input }: Members & { caller?: Caller } = {},
): Promise<{ entry: Entry; result: Members }> {
  const wishes = 'slot_id' in input || 'preferred_slots' in input ? {} : { preferred_slots: NEVER_OFFERED }
  const service_id = input.service_id ?? anyWaitlistService(c).id
  const answer = await caller.call('joinWaitlist', { service_id, buyer: c.buyer(), ...wishes, ...input })
  const result = answer.success()
  const entry = expectMembers(result.entry, 'entry') as Entry
  c.afterwards(() => caller.call('leaveWaitlist', { entry_id: entry.id }))
  return { entry, result }
}

/** Books and holds a slot until it has no free spot. */
export async function fillSlot(c: CheckContext, service = waitlistService(c), wish: SlotWish = {}): Promise<FullSlot> {
  const slot = await c.slot(service, wish)
  const booker = c.newPlatform().caller
  const target = { service_id: service.id, slot_id: slot.id }
  const { booking: booked } = (await booker.call('book', { ...target, buyer: c.buyer() })).success()
  const booking = expectMembers(booked, 'booking')
  c.cancelAfterwards(booking, booker)
  const { remaining = 1 } = (slot.capacity ?? {}) as Members
  let free = Number(remaining) - 1
  let spots = Math.min(free, Number((service.capacity as Members).max ?? 1))
  for (let nth = 0; nth < MAX_RESERVATIONS && spots > 0; nth++) {
    const { hold } = ((await booker.call('hold', { ...target, spots })).result ?? {}) as { hold?: Members }
    if (hold) {
      c.afterwards(() => booker.call('release', { hold_id: hold.id }))
      free -= spots
    }
    // The spots of a reservation can be at several tables, so a large party may not get all of them. If the server
    // refuses even one spot, none is left.
    spots = hold ? Math.min(free, spots) : Math.floor(spots / 2)
  }
  if (spots === 0) return { service, slot, booking, booker }
  throw new Skip(`A slot of the service ${service.id} has more spots than this check can fill.`)
}

/** The number of free spots of a slot, as the availability query says. */
export async function freeSpots(c: CheckContext, service: Members, { id, start }: Slot): Promise<number> {
  const day = start.slice(0, 10)
  const query = { service_id: service.id, start_date: day, end_date: day, limit: 100 }
  const { slots } = (await c.anonymous.call('queryAvailability', query)).success()
  const slot = (slots as Slot[]).find((other) => other.id === id)
  if (!slot || slot.state === 'waitlist') return 0
  const remaining = (slot.capacity as Members | undefined)?.remaining
  return typeof remaining === 'number' ? remaining : 1
}

/** Cancels the booking of a full slot, so that one spot becomes free. */
export async function freeSpot({ booking, booker }: FullSlot): Promise<void> {
  ;(await booker.call('cancelBooking', { booking_id: booking.id })).success()
}

export async function readEntry({ id }: Entry, caller: Caller): Promise<Entry> {
  return expectMembers((await caller.call('getEntry', { entry_id: id })).success().entry, 'entry') as Entry
}

/** Waits until an entry has the status, because a server may offer a freed spot a moment later. */
export async function entryWithStatus(entry: Entry, status: string, caller: Caller): Promise<Entry> {
  const deadline = Date.now() + OFFER_WAIT_MS
  for (;;) {
    const current = await readEntry(entry, caller)
    if (current.status === status) return current
    if (Date.now() > deadline)
      throw new Mismatch(`the entry to be ${status} within ${OFFER_WAIT_MS / 1000} s`, `${current.status}`)
    await sleep(200)
  }
}

/** An entry that has an offer of a slot, and the full slot of which a spot was freed for it. */
export async function offeredEntry(c: CheckContext, service = waitlistService(c), input: Members = {}) {
  const full = await fillSlot(c, service)
  const { entry, result } = await join(c, { service_id: service.id, slot_id: full.slot.id, ...input })
  await freeSpot(full)
  return { ...full, entry: await entryWithStatus(entry, 'offered', c.caller), credential: credentialOf(result) }
}
