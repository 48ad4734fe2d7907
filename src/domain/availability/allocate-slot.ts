import { seatsTake, sessionsBetween } from '../../core/ledger/class-session-seats.ts'
import {
  type ClaimHolder,
  claimRequire,
  claimTake,
  resourcesLock,
  resourcesLockUnlessWaitlisted,
} from '../../core/ledger/resource-claims.ts'
import type { Database } from '../../infra/db/database.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import { DAY } from '../../infra/time/time-units.ts'
import { BusinessRefusal } from '../../protocol/errors.ts'
import { assignDistinct } from './assign-distinct-resources.ts'
import { type AvailableTime, availableTimes, type SearchedTime } from './available-times.ts'
import { readOccupancy, timeOfSession } from './find-available-times.ts'
import { largestPartyWith } from './party-size-capacity.ts'
import type { Occupancy } from './resource-occupancy.ts'
import { type Plan, resourcesOf, seatsOf } from './service-scheduling-plan.ts'
import type { SlotKey } from './time-slot-response.ts'

/**
 * The ids of the people, rooms or items that a booking, hold (a short reservation) or waitlist offer reserves. For a
 * class, the object contains the id of the class session instead.
 */
export interface Allocation {
  resources: string[]
  session: string | undefined
}

export const slotUnavailable = () =>
  new BusinessRefusal('slot_unavailable', 'This slot is not available. Query for others.', '$.slot_id')

/**
 * Finds a slot (a time that callers can book) in the schedule, even if another buyer has booked it. The result is
 * undefined if the schedule has no such slot or the service is not active.
 */
export async function findScheduledSlot(
  db: Database,
  plan: Plan,
  key: SlotKey,
  now: Date,
): Promise<AvailableTime | undefined> {
  if (plan.service.id !== key.service || (plan.service.status ?? 'active') !== 'active') return undefined
  const { start } = key
  const candidates =
    plan.service.type === 'group'
      ? (await sessionsBetween(db, plan.service.id, { from: start, to: start + 1 }, now)).map(timeOfSession)
      : availableTimes(plan, new Map(), [start, start + 1])
  return candidates.find((time) => isSameTime(time, key))
}

/**
 * Whether two times of one service have the same start, end and location, and the same chosen people, rooms or items.
 */
export const isSameTime = (
  time: SearchedTime | AvailableTime,
  { start, end, location, picks }: Pick<SlotKey, 'start' | 'end' | 'location' | 'picks'>,
): boolean =>
  time.start === start && time.end === end && time.location === location && time.picks.join() === picks.join()

export interface AllocationRequest {
  plan: Plan
  time: AvailableTime
  party: number
  holder: ClaimHolder
  expiresAt: Date | undefined
  now: Date
}

/**
 * Reserves a slot for a booking, a hold (a short reservation) or a waitlist offer. The transaction fails if the slot is
 * not free, or has too few seats. The server sends row locks at once, so that all calls lock rows in the same order. To
 * save round trips, it sends the other statements together with the next query or the commit.
 */
export async function allocateSlot(tx: UnitOfWork, wanted: AllocationRequest): Promise<Allocation> {
  const { time, holder, expiresAt, now } = wanted
  if (time.session !== undefined) return takeSeats(tx, time.session, wanted)
  const resources = await chooseResources(tx, wanted)
  claimRequire(tx, { resources, time: timeOf(wanted), holder, expiresAt }, now, slotUnavailable)
  return { resources, session: undefined }
}

/**
 * Reserves a slot like `allocateSlot`, but sends the SQL statement at once. Therefore the calling function learns of a
 * refusal, and can try another slot. Before the next try, it must release all resources that the refused attempt has
 * reserved, such as a room.
 */
export async function allocateSlotNow(tx: Database, wanted: AllocationRequest): Promise<Allocation> {
  const { time, holder, expiresAt, now } = wanted
  if (time.session !== undefined) return takeSeats(tx, time.session, wanted)
  const resources = await chooseResources(tx, wanted)
  if (!(await claimTake(tx, { resources, time: timeOf(wanted), holder, expiresAt }, now))) throw slotUnavailable()
  return { resources, session: undefined }
}

const timeOf = ({ plan, time }: AllocationRequest) => ({ from: time.start - plan.before, to: time.end + plan.after })

async function chooseResources(tx: Database, wanted: AllocationRequest): Promise<string[]> {
  const { plan, time, party, holder, now } = wanted
  const isChosen = !time.scheduled?.working.length && !time.capacity
  if (isChosen && party > largestPartyWith(plan, time.picks)) throw tooMany(largestPartyWith(plan, time.picks))
  if (isChosen) return time.picks
  if (holder.kind === 'offer') await resourcesLock(tx, resourcesOf(plan))
  else await resourcesLockUnlessWaitlisted(tx, resourcesOf(plan), timeOf(wanted), now)
  return assignResources(tx, wanted)
}

async function takeSeats(tx: Database, session: string, wanted: AllocationRequest): Promise<Allocation> {
  const { party } = wanted
  const free = await seatsTake(tx, session, wanted)
  if (!free) throw slotUnavailable()
  if (free < party) throw tooMany(free)
  return { resources: [], session }
}

/**
 * Returns the people, rooms or items (resources) that the buyer picked, and adds free resources that the business
 * assigns. The calling function has locked all resources of the service, so competing calls wait.
 */
async function assignResources(tx: Database, { plan, time, party, now }: AllocationRequest): Promise<string[]> {
  const busy = await readOccupancy(tx, plan, [time.start, time.start + 1], { now, ranks: true })
  const isRequested = (one: AvailableTime) => isSameTime(one, time)
  const found = availableTimes(plan, busy, [time.start, time.start + 1], party).find(isRequested)
  const assigned = found && assignDistinct(rankCandidates(plan, busy, found))
  if (assigned) return [...time.picks, ...assigned]
  const forOnePerson = availableTimes(plan, busy, [time.start, time.start + 1]).find(isRequested)
  if (forOnePerson && forOnePerson.capacity?.remaining !== 0)
    throw tooMany(largestPartyWith(plan, forOnePerson.picks, forOnePerson.choices()))
  throw slotUnavailable()
}

const tooMany = (free: number) =>
  new BusinessRefusal(
    'capacity_exceeded',
    `The party is too large: room for ${free} is left in this slot.`,
    '$.party_size',
  )

/**
 * For each resource that the business assigns, such as a table, lists the suitable free resources, best first. A
 * smaller resource is better, so that larger resources stay free for larger groups. Among resources of equal size, the
 * resource with fewer reservations within 12 hours of the slot is better.
 */
export function rankCandidates(plan: Plan, busy: Occupancy, { start, choices, scheduled }: SearchedTime): string[][] {
  const working = new Map(scheduled?.working.flat().map((one) => [one.id, one]))
  const seats = (id: string) => {
    const one = working.get(id)
    return one ? seatsOf(plan, one) : 0
  }
  const used = (id: string) => (busy.get(id)?.taken ?? []).filter(([from]) => Math.abs(from - start) < DAY / 2).length
  return choices().map((ids) =>
    ids
      .map((id) => ({ id, seats: seats(id), used: used(id) }))
      .sort((one, other) => one.seats - other.seats || one.used - other.used)
      .map(({ id }) => id),
  )
}
