import { type BackgroundLoop, startLoop } from '../../core/jobs/background-loop.ts'
import type { Announcements } from '../../core/jobs/postgres-notify-listener.ts'
import { deleteExpired } from '../../core/ledger/end-expired-claims.ts'
import type { OpenDatabase } from '../../infra/db/database.ts'
import type { Outbox } from '../../infra/db/queued-mail-types.ts'
import { runUnitOfWork } from '../../infra/db/run-unit-of-work.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { findScheduledSlot } from '../availability/allocate-slot.ts'
import { planOf, resourcesOf } from '../availability/service-scheduling-plan.ts'
import { readSlotId } from '../availability/time-slot-response.ts'
import { expireEntries } from './expire-entries.ts'
import { offerReleased } from './offer-in-waitlist-order.ts'
import { type EntryRow, entriesOffered, servicesWithEntries, waitlistLock, waitlistTryLock } from './queries.ts'
import { lockWaitlist } from './read-and-lock-entry.ts'
import { isAnythingReleased, isWaitlistDue } from './released-capacity-queries.ts'
import { unlessLockTimeout } from './skip-on-lock-timeout.ts'

export type OfferDependencies = Dependencies<'business' | 'tag' | 'clock'>

export type WaitlistDependencies = OfferDependencies & { db: OpenDatabase; outbox: () => Promise<Outbox> }

/**
 * Offers the time and places that this transaction released to the waitlist. If another transaction holds the lock of
 * the waitlist, the function does not wait, because the two transactions could block each other. It then returns false,
 * and the offers follow after the commit. Until then, no caller can book this time or these places.
 */
export async function offerReleasedInTransaction(
  tx: UnitOfWork,
  { business, tag, clock }: OfferDependencies,
): Promise<boolean> {
  if (!(await isAnythingReleased(tx))) return true
  if (!(await waitlistTryLock(tx))) return false
  return unlessLockTimeout(tx, async () => {
    const now = clock()
    await lockWaitlist(tx, now)
    await offerReleased(tx, business, tag, now)
  })
}

/**
 * Makes the waitlist offers that are due. The waitlist worker calls this function at intervals. The function also
 * expires offers of slots that the business removed from its schedule.
 */
export async function runWaitlist(dependencies: WaitlistDependencies): Promise<void> {
  if (await isWaitlistDue(dependencies.db, dependencies.clock())) await offerPending(dependencies, expireInvalidOffers)
}

type Step = (tx: UnitOfWork, offering: OfferDependencies, now: Date) => Promise<void>

/**
 * Offers all released and expired capacity (time and places) to the waitlist, in several transactions. Other callers
 * can run between two transactions. If no entry wants the capacity, all callers can book it again.
 */
export async function offerPending(looking: WaitlistDependencies, first?: Step): Promise<void> {
  const isDone = await offerBatch(looking, first)
  if (!isDone) await offerPending(looking)
}

/** Makes the waitlist offers of one transaction. Returns true if no released time or places are left to offer. */
async function offerBatch(looking: WaitlistDependencies, first?: Step): Promise<boolean> {
  const { db, business, tag, clock, outbox } = looking
  const offer = async (tx: UnitOfWork) => {
    await waitlistLock(tx)
    const now = clock()
    const definition = await business.seenBy(tx)
    const plans = (await servicesWithEntries(tx)).flatMap((id) => planOf(definition, id) ?? [])
    // `deleteExpired` runs first, because it locks all resources that this transaction may release or offer. Therefore
    // all transactions lock resources in the same order, which prevents deadlocks.
    await deleteExpired(tx, plans.flatMap(resourcesOf), now)
    await lockWaitlist(tx, now)
    await first?.(tx, looking, now)
    return offerReleased(tx, business, tag, now)
  }
  return runUnitOfWork(db, offer, await outbox())
}

/**
 * Expires offers of slots that are no longer in the schedule, for example because the business has closed for a day.
 */
async function expireInvalidOffers(tx: UnitOfWork, { business, tag }: OfferDependencies, now: Date): Promise<void> {
  const definition = await business.seenBy(tx)
  const unfounded: EntryRow[] = []
  for (const entry of await entriesOffered(tx, now)) {
    const plan = planOf(definition, entry.service_id)
    const key = readSlotId(tag, entry.offered_slot_id ?? '')
    if (!plan || !key || !(await findScheduledSlot(tx, plan, key, now))) unfounded.push(entry)
  }
  await expireEntries(tx, unfounded, now)
}

/**
 * The wait between two runs of the waitlist worker, in milliseconds. The worker must check at intervals, because no
 * event announces expired reservations.
 */
const POLLED_EVERY_MS = 2_000

export const startWaitlist = (
  dependencies: WaitlistDependencies & Dependencies<'log'>,
  announcements: Announcements,
): BackgroundLoop =>
  startLoop(
    { name: 'waitlist', every: POLLED_EVERY_MS, log: dependencies.log, announced: { announcements, channel: 'freed' } },
    () => runWaitlist(dependencies),
  )
