import { bookable, findOffers } from '../availability/find-offers.ts'
import type { Slot } from '../availability/find-slot.ts'
import { type Plan, planOf, resourcesOf } from '../availability/plan.ts'
import { slotId } from '../availability/slot-id.ts'
import { joined, type Span } from '../availability/spans.ts'
import type { CurrentBusiness } from '../business/current.ts'
import type { Database } from '../db/database.ts'
import { Outcome } from '../protocol/errors.ts'
import type { Tag } from '../trust/tags.ts'
import { offerEnd } from './change-entry.ts'
import { type Freed, freedTake } from './freed-queries.ts'
import { offerSlot } from './offer-slot.ts'
import { suits } from './preferences.ts'
import { type EntryRow, entryLine, servicesInLine } from './queries.ts'

const ALWAYS: Span = [0, 8_640_000_000_000_000]

/**
 * Offers what came free to those who wait for it, in their order. An offer is a claim like any other: while it runs the
 * time is nobody else's. The caller has locked the line.
 */
export async function makeOffers(tx: Database, business: CurrentBusiness, tag: Tag, now: Date): Promise<void> {
  const freed = await freedTake(tx)
  if (freed.length === 0) return
  const definition = await business.seenBy(tx)
  for (const serviceId of await servicesInLine(tx)) {
    const plan = planOf(definition, serviceId)
    if (!plan || (plan.service.status ?? 'active') !== 'active') continue
    for (const range of rangesFor(plan, freed)) await offerWithin(tx, plan, tag, bookable(plan, range, now), now)
  }
}

/** Where a service may have gained a time: a slot may begin before what came free and reach into it. */
function rangesFor(plan: Plan, freed: Freed[]): Span[] {
  const resources = new Set(resourcesOf(plan))
  const longest = (plan.durations.at(-1) ?? 0) + plan.before + plan.after
  const ranges = freed.flatMap(({ resource_id, session_id, service_id, from, to }): Span[] => {
    if (resource_id === null && session_id === null) return [ALWAYS]
    const concerned = session_id === null ? resources.has(resource_id ?? '') : service_id === plan.service.id
    return concerned && from !== null && to !== null ? [[from - longest, to + longest]] : []
  })
  return joined(ranges.sort(([one], [other]) => one - other))
}

/** Offers what is free within the range. The caller has locked the line. */
export async function offerWithin(tx: Database, plan: Plan, tag: Tag, range: Span, now: Date): Promise<void> {
  let open = await openSlots(tx, plan, tag, range, now)
  if (open.length === 0) return
  const line = await entryLine(tx, plan.service.id)
  for (const entry of line.filter(({ status }) => status === 'waiting')) {
    if (open.length === 0) return
    for (const slot of open.filter((one) => fits(entry, one)))
      if (await offerTo(tx, slot, entry, now)) {
        // It took something of what is left, and maybe of more than this one time.
        open = await openSlots(tx, plan, tag, range, now)
        break
      }
  }
}

async function openSlots(tx: Database, plan: Plan, tag: Tag, range: Span, now: Date): Promise<Slot[]> {
  const found = await findOffers(tx, plan, range, 1, now)
  return found
    .filter(({ capacity }) => capacity?.remaining !== 0)
    .map((offer) => ({ id: slotId(tag, { ...offer, service: plan.service.id }), plan, offer }))
}

/** Whether the entry waits for such a time, and has not declined it. */
const fits = (entry: EntryRow, { id, plan, offer }: Slot): boolean =>
  (entry.slot_id === null ? suits(entry, offer, plan.zone) : entry.slot_id === id) && !entry.declined.includes(id)

/** No when somebody was faster or there is no time left to answer. */
async function offerTo(tx: Database, slot: Slot, entry: EntryRow, now: Date): Promise<boolean> {
  try {
    await offerSlot(tx, slot, entry, 'system', now)
    return true
  } catch (error) {
    if (!(error instanceof Outcome)) throw error
    // Of several resources some may be claimed already.
    await offerEnd(tx, entry)
    return false
  }
}
