import type { Announcements } from '../../core/jobs/announcements.ts'
import { type Running, startLoop } from '../../core/jobs/loop.ts'
import { lapsedEnd } from '../../core/ledger/freed.ts'
import type { Change } from '../../infra/db/change.ts'
import type { OpenDatabase } from '../../infra/db/database.ts'
import { inChange } from '../../infra/db/in-change.ts'
import type { Outbox } from '../../infra/db/outbox.ts'
import type { Means } from '../../protocol/means.ts'
import { findScheduled } from '../availability/allocate-slot.ts'
import { planOf, resourcesOf } from '../availability/plan.ts'
import { readSlotId } from '../availability/slot-id.ts'
import { lockWaitlist } from './change-entry.ts'
import { expire } from './expire.ts'
import { anythingFreed, isWaitlistDue } from './freed-queries.ts'
import { makeOffers } from './make-offers.ts'
import { type EntryRow, entriesOffered, servicesInLine, waitlistLock, waitlistTryLock } from './queries.ts'
import { unlessLockTimeout } from './unless-lock-timeout.ts'

/** What offers are made with. */
export type Offering = Means<'business' | 'tag' | 'clock'>

/** What the waitlist is looked after with. */
export type Looking = Offering & { db: OpenDatabase; outbox: () => Promise<Outbox> }

/**
 * Offers what this transaction freed. It does not wait for others who look after the waitlist, since they may be waiting
 * for what this transaction holds: then it is left to them, and the ledger keeps it from anybody else until then.
 */
export async function offerFreed(tx: Change, { business, tag, clock }: Offering): Promise<void> {
  if (!(await anythingFreed(tx)) || !(await waitlistTryLock(tx))) return
  await unlessLockTimeout(tx, async () => {
    const now = clock()
    await lockWaitlist(tx, now)
    await makeOffers(tx, business, tag, now)
  })
}

/** The same where there is something to look at, and ends offers of what the business has no more. */
export async function keepWaitlist(means: Looking): Promise<void> {
  if (await isWaitlistDue(means.db, means.clock())) await offerPending(means, expireUnfounded)
}

type Step = (tx: Change, offering: Offering, now: Date) => Promise<void>

/** Looks who wants what came free or has lapsed: from then on it is offered, or anybody's. Others come in between. */
export async function offerPending(looking: Looking, first?: Step): Promise<void> {
  const isDone = await offerSome(looking, first)
  if (!isDone) await offerPending(looking)
}

/** In one change as much as it may; the answer is whether that was all. */
async function offerSome(looking: Looking, first?: Step): Promise<boolean> {
  const { db, business, tag, clock, outbox } = looking
  const offer = async (tx: Change) => {
    await waitlistLock(tx)
    const now = clock()
    const definition = await business.seenBy(tx)
    const plans = (await servicesInLine(tx)).flatMap((id) => planOf(definition, id) ?? [])
    // Before anything else: all that may be given back or offered now is locked in one order with everybody's.
    await lapsedEnd(tx, plans.flatMap(resourcesOf), now)
    await lockWaitlist(tx, now)
    await first?.(tx, looking, now)
    return makeOffers(tx, business, tag, now)
  }
  return inChange(db, offer, await outbox())
}

/** Offers of what the business no longer has: it may have closed, or taken the time back. */
async function expireUnfounded(tx: Change, { business, tag }: Offering, now: Date): Promise<void> {
  const definition = await business.seenBy(tx)
  const unfounded: EntryRow[] = []
  for (const entry of await entriesOffered(tx, now)) {
    const plan = planOf(definition, entry.service_id)
    const key = readSlotId(tag, entry.offered_slot_id ?? '')
    if (!plan || !key || !(await findScheduled(tx, plan, key, now))) unfounded.push(entry)
  }
  await expire(tx, unfounded, now)
}

/** Milliseconds until it is looked for what lapses, which nobody announces. */
const POLLED_EVERY_MS = 2_000

/** Looks after the waitlist as soon as something is announced to be free. */
export const startWaitlist = (means: Looking & Means<'log'>, announcements: Announcements): Running =>
  startLoop(
    { name: 'waitlist', every: POLLED_EVERY_MS, log: means.log, announced: { announcements, channel: 'freed' } },
    () => keepWaitlist(means),
  )
