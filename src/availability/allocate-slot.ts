import type { Change } from '../db/change.ts'
import type { Database } from '../db/database.ts'
import { type ClaimHolder, claimDemand, claimTake, resourcesLock, timeAsk } from '../ledger/claims.ts'
import { seatsTake, sessionsBetween } from '../ledger/seats.ts'
import { Outcome } from '../protocol/errors.ts'
import { distinct } from './distinct.ts'
import { busyFor, sessionOffer } from './find-offers.ts'
import { type Offer, offers } from './offers.ts'
import { largestPartyAt } from './party.ts'
import { type Plan, resourcesOf } from './plan.ts'
import type { SlotKey } from './slot-id.ts'

/** What was allocated: resources whose time is claimed, or a class session in which seats were taken. */
export interface Allocation {
  resources: string[]
  session: string | undefined
}

export const slotGone = () =>
  new Outcome('slot_unavailable', 'This slot is not available. Query for others.', '$.slot_id')

/** The slot by the schedule alone, free or not; nothing when the schedule has no such slot. */
export async function findScheduled(db: Database, plan: Plan, key: SlotKey, now: Date): Promise<Offer | undefined> {
  if (plan.service.id !== key.service || (plan.service.status ?? 'active') !== 'active') return undefined
  const { start } = key
  const candidates =
    plan.service.type === 'group'
      ? (await sessionsBetween(db, plan.service.id, new Date(start), new Date(start + 1), now)).map(sessionOffer)
      : offers(plan, new Map(), [start, start + 1])
  return candidates.find((offer) => isSame(offer, key))
}

const isSame = (offer: Offer, { start, end, location, picks }: SlotKey) =>
  offer.start === start && offer.end === end && offer.location === location && offer.picks.join() === picks.join()

/** What is to be taken, for how many and by whom. */
interface AllocationRequest {
  plan: Plan
  offer: Offer
  party: number
  holder: ClaimHolder
  expiresAt: Date | undefined
  now: Date
}

/**
 * Allocates the slot when the change is sent. It is refused when somebody has it, or when there is room but not enough. What
 * the change demanded before is sent before the locks that are taken here, so that all calls lock in one order.
 */
export async function allocateSlot(tx: Change, wanted: AllocationRequest): Promise<Allocation> {
  const { offer, holder, expiresAt, now } = wanted
  if (offer.session !== undefined) return takeSeats(tx, offer.session, wanted)
  const resources = await chooseResources(tx, wanted)
  claimDemand(tx, resources, timeOf(wanted), holder, expiresAt, now, slotGone)
  return { resources, session: undefined }
}

/** Allocates the slot at once, so that the caller can try another when refused; some of its resources may be claimed by then. */
export async function allocateSlotNow(tx: Database, wanted: AllocationRequest): Promise<Allocation> {
  const { offer, holder, expiresAt, now } = wanted
  if (offer.session !== undefined) return takeSeats(tx, offer.session, wanted)
  const resources = await chooseResources(tx, wanted)
  if (!(await claimTake(tx, resources, timeOf(wanted), holder, expiresAt, now))) throw slotGone()
  return { resources, session: undefined }
}

const timeOf = ({ plan, offer }: AllocationRequest) => ({ from: offer.start - plan.before, to: offer.end + plan.after })

async function chooseResources(tx: Database, wanted: AllocationRequest): Promise<string[]> {
  const { plan, offer, party, holder, now } = wanted
  const isChosen = offer.choices.length === 0 && !offer.capacity
  if (isChosen && party > largestPartyAt(plan, offer)) throw tooMany(largestPartyAt(plan, offer))
  if (isChosen) return offer.picks
  if (holder.kind === 'offer') await resourcesLock(tx, resourcesOf(plan))
  else await timeAsk(tx, resourcesOf(plan), timeOf(wanted), now)
  return assignResources(tx, plan, offer, party, now)
}

async function takeSeats(
  tx: Database,
  session: string,
  { party, holder, expiresAt, now }: AllocationRequest,
): Promise<Allocation> {
  const free = await seatsTake(tx, session, holder, party, expiresAt, now)
  if (!free) throw slotGone()
  if (free < party) throw tooMany(free)
  return { resources: [], session }
}

/** The chosen resources, and the best of the others. Competing calls wait for the lock, so each sees what the last one left. */
async function assignResources(tx: Database, plan: Plan, offer: Offer, party: number, now: Date): Promise<string[]> {
  const busy = await busyFor(tx, plan, [offer.start, offer.start + 1], now)
  const same = (one: Offer) => isSame(one, { ...offer, service: plan.service.id })
  const found = offers(plan, busy, [offer.start, offer.start + 1], party).find(same)
  const assigned = found && distinct(found.choices)
  if (assigned) return [...offer.picks, ...assigned]
  const alone = offers(plan, busy, [offer.start, offer.start + 1]).find(same)
  if (alone && alone.capacity?.remaining !== 0) throw tooMany(largestPartyAt(plan, alone))
  throw slotGone()
}

const tooMany = (free: number) =>
  new Outcome('capacity_exceeded', `There is no room for so many: ${free} at most are left here.`, '$.party_size')
