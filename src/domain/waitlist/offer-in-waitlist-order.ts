import { setImmediate as othersTurn } from 'node:timers/promises'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import type { CurrentBusiness } from '../../protocol/dependency-types.ts'
import { isRefusal } from '../../protocol/errors.ts'
import type { Tag } from '../../protocol/keyed-digest.ts'
import type { Slot } from '../availability/find-slot.ts'
import { planOf } from '../availability/service-scheduling-plan.ts'
import { endOffer } from './entry-write-queries.ts'
import { releasedCapacityOf } from './find-freed-slots.ts'
import { type FreeSlot, FreeSlots } from './free-slots.ts'
import { offerSlot } from './offer-slot.ts'
import { type EntryRow, entriesWaiting, servicesWithEntries } from './queries.ts'
import { releasedReturn, releasedTake } from './released-capacity-queries.ts'

/**
 * The maximum number of waitlist offers in one transaction. The number is small, because calls that join or leave the
 * waitlist or release time must wait for the transaction.
 */
const MAX_OFFERS = 20

/**
 * Offers time and places that became free to the waiting entries, in the order of the waitlist. Each offer reserves its
 * slot. One call makes a limited number of offers. It returns true if it has checked all entries. The calling code must
 * hold the lock of the waitlist.
 */
export async function offerReleased(tx: UnitOfWork, business: CurrentBusiness, tag: Tag, now: Date): Promise<boolean> {
  const freed = await releasedTake(tx)
  if (freed.length === 0) return true
  const definition = await business.seenBy(tx)
  const plans = (await servicesWithEntries(tx)).flatMap((id) => planOf(definition, id) ?? [])
  const free = plans
    .filter(({ service }) => (service.status ?? 'active') === 'active')
    .map((plan) => new FreeSlots(plan, releasedCapacityOf(plan, freed), tag, now))
  const isDone = await offerToWaiting(tx, free, now)
  if (!isDone) await releasedReturn(tx, freed)
  return isDone
}

/**
 * Offers the free slots of several services to the waiting entries. The services may share people or rooms, so the
 * entry that has waited longest comes first, whatever its service. Returns true if it has checked all entries. The
 * calling code must hold the lock of the waitlist.
 */
export async function offerToWaiting(tx: UnitOfWork, free: readonly FreeSlots[], now: Date): Promise<boolean> {
  const open: FreeSlots[] = []
  for (const one of free) if ((await one.parts(tx)).length > 0) open.push(one)
  if (open.length === 0) return true
  const byService = new Map(open.map((one) => [one.plan.service.id, one]))
  let offers = 0
  for (const entry of await entriesWaiting(tx, [...byService.keys()])) {
    if (offers === MAX_OFFERS) return false
    await othersTurn()
    const offered = await firstFor(tx, entry, byService.get(entry.service_id), now)
    if (!offered) continue
    offers++
    for (const one of open) one.remove(offered)
  }
  return true
}

async function firstFor(tx: UnitOfWork, entry: EntryRow, free: FreeSlots | undefined, now: Date) {
  const declined = new Set(entry.declined)
  const isAny = entry.slot_id === null && declined.size === 0
  const isWanted = (slot: FreeSlot) => isAny || ((entry.slot_id ?? slot.id) === slot.id && !declined.has(slot.id))
  for await (const slot of free?.wantedBy(tx, entry) ?? [])
    if (isWanted(slot) && (await offerTo(tx, slot, entry, now))) return slot
  return undefined
}

/**
 * Offers a slot to a waitlist entry. Returns false if the slot is no longer free, or if the buyer would have too little
 * time to answer.
 */
async function offerTo(tx: UnitOfWork, slot: Slot, entry: EntryRow, now: Date): Promise<boolean> {
  try {
    await offerSlot(tx, slot, { entry, actor: 'system' }, now)
    return true
  } catch (error) {
    if (!isRefusal(error)) throw error
    // A slot may need several resources, such as a person and a room. The failed attempt may have reserved some of
    // these resources. Therefore the next line releases them.
    await endOffer(tx, entry)
    return false
  }
}
