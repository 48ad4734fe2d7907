import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, asMembers, type Members } from '../../caller/answer.ts'
import type { Caller, CallOptions } from '../../caller/caller.ts'
import { type CheckContext, credentialOf } from '../../run/check-context.ts'
import { expectMembers } from '../../run/expectations.ts'
import { Mismatch, Skip } from '../../run/mismatch.ts'
import { dateIn, type Slot, type SlotWish } from '../../target/free-slots.ts'
import { isConfirmedAtOnce } from '../../target/service-kinds.ts'
import { askToBook, bookingOf, listedSlot } from './slots-and-bookings.ts'

/** Days ten years in the future, for which no business has slots. An entry for these days gets no offer. */
export const NEVER_OFFERED = [{ start_date: dateIn(3650), end_date: dateIn(3651) }]

const MAX_RESERVATIONS = 12
const OFFER_WAIT_MS = 8_000

export interface Entry extends Members {
  id: string
  status: string
  position: number
}

/** A slot without a free spot. If `booker` cancels `booking`, one spot becomes free. */
export interface FullSlot {
  service: Members
  slot: Slot
  booking: Members
  /** The caller of another platform, which made the booking. */
  booker: Caller
}

export const hasWaitlist = (service: Members): boolean =>
  asMembers(service.capacity)?.waitlist === true && (service.status ?? 'active') === 'active'

const waitlistService = (c: CheckContext): Members =>
  c.service(
    'service with a waitlist that is confirmed at once, without payment in advance',
    (one) => hasWaitlist(one) && isConfirmedAtOnce(one),
  )

export const anyWaitlistService = (c: CheckContext): Members => c.service('service with a waitlist', hasWaitlist)

/**
 * Returns a service for entries that wait for whole days. Spots of other running checks could be offered to such an
 * entry. Most other checks use services that are confirmed at once. Therefore this function prefers another service.
 */
export function dayWaitlistService(c: CheckContext): Members {
  return c.services.find((service) => hasWaitlist(service) && !isConfirmedAtOnce(service)) ?? anyWaitlistService(c)
}

type JoinRequest = Members & { caller?: Caller; options?: CallOptions }

/**
 * Requests a waitlist entry, which the server may refuse. By default, the entry waits for days that are never offered.
 * The entry leaves the waitlist after the check.
 */
export async function askToJoin(
  c: CheckContext,
  { caller = c.caller, options = {}, ...input }: JoinRequest = {},
): Promise<Answer> {
  const wishes = 'slot_id' in input || 'preferred_slots' in input ? {} : { preferred_slots: NEVER_OFFERED }
  const service_id = input.service_id ?? anyWaitlistService(c).id
  const answer = await caller.call('joinWaitlist', { service_id, buyer: c.buyer(), ...wishes, ...input }, options)
  const entry = asMembers(answer.result?.entry)
  if (entry) c.afterwards(() => caller.call('leaveWaitlist', { entry_id: entry.id }))
  return answer
}

/** Joins the waitlist and leaves it after the check. By default, the entry waits for days that are never offered. */
export async function join(c: CheckContext, request?: JoinRequest): Promise<{ entry: Entry; result: Members }> {
  const answer = await askToJoin(c, request)
  return { entry: entryOf(answer), result: answer.success() }
}

/** Returns the entry in a successful answer. */
export const entryOf = (answer: Answer): Entry => expectMembers(answer.success().entry, 'entry') as Entry

export const hasOffer = (entry: Entry): boolean => 'offered_slot' in entry || 'offer_expires_at' in entry

/** Removes the entry from the waitlist, and returns the removed entry. */
export async function leave(c: CheckContext, { id }: Entry, options?: CallOptions): Promise<Entry> {
  return entryOf(await c.caller.call('leaveWaitlist', { entry_id: id }, options))
}

/**
 * Books and holds the spots of a slot until no spot is free. Chooses a slot without holds: a hold of an earlier run could
 * end during the check, and free a spot.
 */
export async function fillSlot(c: CheckContext, service = waitlistService(c), wish: SlotWish = {}): Promise<FullSlot> {
  const { where: isWanted = () => true } = wish
  const isUnheld = ({ capacity }: Slot) => Number(asMembers(capacity)?.held ?? 0) === 0
  const slot = await c.slot(service, { ...wish, where: (one) => isUnheld(one) && isWanted(one) })
  const booker = c.newPlatform().caller
  const booking = bookingOf(await askToBook(c, slot, { caller: booker }))
  const { remaining = 1 } = asMembers(slot.capacity) ?? {}
  let free = Number(remaining) - 1
  let spots = Math.min(free, Number((service.capacity as Members).max ?? 1))
  for (let nth = 0; nth < MAX_RESERVATIONS && spots > 0; nth++) {
    const { result } = await booker.call('hold', { service_id: service.id, slot_id: slot.id, spots })
    const hold = asMembers(result?.hold)
    if (hold) {
      c.afterwards(() => booker.call('release', { hold_id: hold.id }))
      free -= spots
    }
    // The spots of a reservation can be at several tables. Therefore the server may refuse a large party, although
    // spots are free. If it refuses even one spot, the slot is full.
    spots = hold ? Math.min(free, spots) : Math.floor(spots / 2)
  }
  if (spots === 0) return { service, slot, booking, booker }
  throw new Skip(`A slot of the service ${service.id} has more spots than this check can fill.`)
}

/** Returns the number of free spots that the availability query shows for a slot. */
export async function freeSpots(c: CheckContext, slot: Slot): Promise<number> {
  const listed = await listedSlot(c, slot)
  if (!listed || listed.state === 'waitlist') return 0
  const remaining = asMembers(listed.capacity)?.remaining
  return typeof remaining === 'number' ? remaining : 1
}

/** Cancels the booking of a full slot. One spot becomes free. */
export async function freeSpot({ booking, booker }: FullSlot): Promise<void> {
  ;(await booker.call('cancelBooking', { booking_id: booking.id })).success()
}

export async function readEntry(c: CheckContext, { id }: Entry): Promise<Entry> {
  return entryOf(await c.caller.call('getEntry', { entry_id: id }))
}

/** Waits until an entry has this status. A server may offer a free spot with a short delay. */
export async function entryWithStatus(c: CheckContext, entry: Entry, status: string): Promise<Entry> {
  const deadline = Date.now() + OFFER_WAIT_MS
  for (;;) {
    const current = await readEntry(c, entry)
    if (current.status === status) return current
    if (Date.now() > deadline)
      throw new Mismatch(`the status ${status} of the entry within ${OFFER_WAIT_MS / 1000} s`, current.status)
    await sleep(200)
  }
}

/** Joins the waitlist of a full slot, frees a spot, and waits until the entry has an offer. */
export async function offeredEntry(c: CheckContext, service = waitlistService(c), input: Members = {}) {
  const full = await fillSlot(c, service)
  const { entry, result } = await join(c, { service_id: service.id, slot_id: full.slot.id, ...input })
  await freeSpot(full)
  return { ...full, entry: await entryWithStatus(c, entry, 'offered'), credential: credentialOf(result) }
}
