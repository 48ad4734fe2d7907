import { bookable, findOffers } from '../availability/find-offers.ts'
import type { Offer } from '../availability/offers.ts'
import { type Plan, planOf, resourcesOf } from '../availability/plan.ts'
import { slotId } from '../availability/slot-id.ts'
import type { Span } from '../availability/spans.ts'
import type { CurrentBusiness } from '../business/current.ts'
import type { Database } from '../db/database.ts'
import { Outcome } from '../protocol/errors.ts'
import type { Tag } from '../trust/tags.ts'
import { offerEnd } from './change-entry.ts'
import { offerSlot } from './offer-slot.ts'
import { suits } from './preferences.ts'
import { type EntryRow, entryLine, type Freed, freedTake, servicesAwaited } from './queries.ts'

const ALWAYS: Span = [0, 8_640_000_000_000_000]

/**
 * Offers what came free to those who wait for it, in their order. An offer is a claim like any other: while it runs the
 * time is nobody else's. The caller holds the waitlist's lock.
 */
export async function makeOffers(tx: Database, business: CurrentBusiness, tag: Tag, now: Date): Promise<void> {
  const freed = await freedTake(tx)
  if (freed.length === 0) return
  const definition = await business.seenBy(tx)
  for (const serviceId of await servicesAwaited(tx)) {
    const plan = planOf(definition, serviceId)
    if (!plan || (plan.service.status ?? 'active') !== 'active') continue
    for (const range of rangesFor(plan, freed)) await offerWithin(tx, plan, tag, bookable(plan, range, now), now)
  }
}

/** Where a service may have gained a time: a slot may begin before what came free and reach into it. */
function rangesFor(plan: Plan, freed: Freed[]): Span[] {
  const resources = resourcesOf(plan)
  const longest = (plan.durations.at(-1) ?? 0) + plan.before + plan.after
  return freed.flatMap(({ resource_id, session_id, service_id, from, to }): Span[] => {
    if (resource_id === null && session_id === null) return [ALWAYS]
    const concerned = session_id === null ? resources.includes(resource_id ?? '') : service_id === plan.service.id
    return concerned && from !== null && to !== null ? [[from - longest, to + longest]] : []
  })
}

async function offerWithin(tx: Database, plan: Plan, tag: Tag, range: Span, now: Date): Promise<void> {
  const line = await entryLine(tx, plan.service.id)
  const waiting = line.filter(({ status }) => status === 'waiting')
  for (const entry of waiting) {
    // Each offer takes something, so what is left is looked at anew.
    const open = (await findOffers(tx, plan, range, 1, now)).filter(({ capacity }) => capacity?.remaining !== 0)
    if (open.length === 0) return
    for (const offer of open.filter((one) => fits(plan, tag, entry, one)))
      if (await offerTo(tx, plan, tag, entry, offer, now)) break
  }
}

const fits = (plan: Plan, tag: Tag, entry: EntryRow, offer: Offer): boolean =>
  entry.slot_id === null ? suits(entry, offer, plan.zone) : entry.slot_id === idOf(plan, tag, offer)

const idOf = (plan: Plan, tag: Tag, { start, end, location, picks }: Offer): string =>
  slotId(tag, { service: plan.service.id, start, end, location, picks })

/** No when somebody was faster or there is no time left to answer. */
async function offerTo(tx: Database, plan: Plan, tag: Tag, entry: EntryRow, offer: Offer, now: Date): Promise<boolean> {
  try {
    await offerSlot(tx, { id: idOf(plan, tag, offer), plan, offer }, entry, 'system', now)
    return true
  } catch (error) {
    if (!(error instanceof Outcome)) throw error
    // Of several resources some may be claimed already.
    await offerEnd(tx, entry)
    return false
  }
}
