import type { Change } from '../db/change.ts'
import type { Database } from '../db/database.ts'
import { claimDemand, claimTake, type Holder, resourcesLock, timeAsk } from '../ledger/claims.ts'
import { seatsTake, sessionsBetween } from '../ledger/seats.ts'
import { Outcome } from '../protocol/errors.ts'
import { distinct } from './distinct.ts'
import { busyFor, sessionOffer } from './find-offers.ts'
import { type Offer, offers } from './offers.ts'
import { largestPartyAt } from './party.ts'
import { type Plan, resourcesOf } from './plan.ts'
import type { SlotKey } from './slot-id.ts'

/** What a holder has got. */
export interface Occupied {
  resources: string[]
  session: string | undefined
}

export const slotGone = () =>
  new Outcome('slot_unavailable', 'This slot is not available. Query for others.', '$.slot_id')

/** The slot as the schedule has it, whoever may have it; nothing when this server would not offer it. */
export async function scheduled(db: Database, plan: Plan, key: SlotKey, now: Date): Promise<Offer | undefined> {
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
interface Wanted {
  plan: Plan
  offer: Offer
  party: number
  holder: Holder
  expiresAt: Date | undefined
  now: Date
}

/**
 * Takes it with the rest of the change. How it was refused: somebody has it, or there is room but not enough. Whatever else
 * was demanded comes before the locks that are taken here, for all calls in one order.
 */
export async function occupy(tx: Change, wanted: Wanted): Promise<Occupied> {
  const { offer, holder, expiresAt, now } = wanted
  if (offer.session !== undefined) return join(tx, offer.session, wanted)
  const resources = await choose(tx, wanted)
  claimDemand(tx, resources, timeOf(wanted), holder, expiresAt, now, slotGone)
  return { resources, session: undefined }
}

/** Takes it at once, so that whoever is refused may try another; of several resources some may have been taken then. */
export async function occupyNow(tx: Database, wanted: Wanted): Promise<Occupied> {
  const { offer, holder, expiresAt, now } = wanted
  if (offer.session !== undefined) return join(tx, offer.session, wanted)
  const resources = await choose(tx, wanted)
  if (!(await claimTake(tx, resources, timeOf(wanted), holder, expiresAt, now))) throw slotGone()
  return { resources, session: undefined }
}

const timeOf = ({ plan, offer }: Wanted) => ({ from: offer.start - plan.before, to: offer.end + plan.after })

async function choose(tx: Database, wanted: Wanted): Promise<string[]> {
  const { plan, offer, party, holder, now } = wanted
  const isChosen = offer.choices.length === 0 && !offer.capacity
  if (isChosen && party > largestPartyAt(plan, offer)) throw tooMany(largestPartyAt(plan, offer))
  if (isChosen) return offer.picks
  if (holder.kind === 'offer') await resourcesLock(tx, resourcesOf(plan))
  else await timeAsk(tx, resourcesOf(plan), timeOf(wanted), now)
  return assign(tx, plan, offer, party, now)
}

async function join(tx: Database, session: string, { party, holder, expiresAt, now }: Wanted): Promise<Occupied> {
  const free = await seatsTake(tx, session, holder, party, expiresAt, now)
  if (!free) throw slotGone()
  if (free < party) throw tooMany(free)
  return { resources: [], session }
}

/** The chosen resources, and the best of those that nobody chose. Rivals for these wait, so that each sees the last. */
async function assign(tx: Database, plan: Plan, offer: Offer, party: number, now: Date): Promise<string[]> {
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
