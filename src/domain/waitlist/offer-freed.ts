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

export type Offering = Means<'business' | 'tag' | 'clock'>

export type Looking = Offering & { db: OpenDatabase; outbox: () => Promise<Outbox> }

/**
 * Offers the capacity that this transaction released. Does not wait for another transaction that handles the waitlist,
 * because that one may wait for this one. The other transaction then makes the offers. Until then, the ledger reserves the
 * capacity for the waitlist.
 */
export async function offerFreed(tx: Change, { business, tag, clock }: Offering): Promise<void> {
  if (!(await anythingFreed(tx)) || !(await waitlistTryLock(tx))) return
  await unlessLockTimeout(tx, async () => {
    const now = clock()
    await lockWaitlist(tx, now)
    await makeOffers(tx, business, tag, now)
  })
}

/** Makes pending offers if necessary, and expires offers of slots that the business removed. */
export async function keepWaitlist(means: Looking): Promise<void> {
  if (await isWaitlistDue(means.db, means.clock())) await offerPending(means, expireUnfounded)
}

type Step = (tx: Change, offering: Offering, now: Date) => Promise<void>

/**
 * Offers all released and expired capacity in several units of work, which lets other callers run in between. Capacity that
 * no entry wants becomes available to all callers.
 */
export async function offerPending(looking: Looking, first?: Step): Promise<void> {
  const isDone = await offerSome(looking, first)
  if (!isDone) await offerPending(looking)
}

/** One unit of work. Returns true when nothing is left to offer. */
async function offerSome(looking: Looking, first?: Step): Promise<boolean> {
  const { db, business, tag, clock, outbox } = looking
  const offer = async (tx: Change) => {
    await waitlistLock(tx)
    const now = clock()
    const definition = await business.seenBy(tx)
    const plans = (await servicesInLine(tx)).flatMap((id) => planOf(definition, id) ?? [])
    // Runs before all changes of this unit of work. It locks all resources that may be released or offered, which keeps one
    // lock order.
    await lapsedEnd(tx, plans.flatMap(resourcesOf), now)
    await lockWaitlist(tx, now)
    await first?.(tx, looking, now)
    return makeOffers(tx, business, tag, now)
  }
  return inChange(db, offer, await outbox())
}

/** Expires offers of slots that the schedule no longer has, for example after a closure. */
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

/** Expired claims send no notification, so the worker polls. */
const POLLED_EVERY_MS = 2_000

export const startWaitlist = (means: Looking & Means<'log'>, announcements: Announcements): Running =>
  startLoop(
    { name: 'waitlist', every: POLLED_EVERY_MS, log: means.log, announced: { announcements, channel: 'freed' } },
    () => keepWaitlist(means),
  )
