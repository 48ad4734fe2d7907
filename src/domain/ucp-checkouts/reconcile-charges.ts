import type { BackgroundLoop } from '../../core/jobs/background-loop.ts'
import { startWorker, type Work, type WriteOutcome, workAll } from '../../core/jobs/queue-worker.ts'
import { type Backoff, makeBackoff, takeWithBackoff } from '../../core/jobs/retry-backoff.ts'
import { deadlineAt, MINUTE, SECOND } from '../../infra/time/time-units.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { extendHold } from '../availability/extend-hold.ts'
import { holdLockById } from '../availability/hold-queries.ts'
import type { Providers } from '../payments/find-payment-provider.ts'
import { resumeCharge } from './carry-out-charge.ts'
import { CHARGE_MINUTES, isUnsettled } from './charge-lifecycle.ts'
import { type ChargeRow, chargeFind, chargeLeasesRenew, chargePostpone, chargesLease } from './charge-queries.ts'
import { checkoutLock, checkoutUpdate } from './queries.ts'

type Needs = Dependencies<'db' | 'clock' | 'clockFault' | 'log' | 'makeChange' | 'business' | 'tag'> & {
  payments: Providers
}

const AT_ONCE = 8
const POLLED_EVERY_MS = 5 * SECOND
const RETRY_MS = 20 * SECOND
/** The slot stays reserved for this number of milliseconds after the time for the buyer to confirm at the bank. */
const GRACE_MS = 2 * MINUTE

/**
 * Starts the background worker that settles charges whose process has died or whose payment provider did not answer.
 */
export const startReconcilingCharges = (dependencies: Needs): BackgroundLoop =>
  startWorker(dependencies, charges(dependencies), { every: POLLED_EVERY_MS })

export const reconcileCharges = (dependencies: Needs): Promise<void> => workAll(dependencies, charges(dependencies))

function charges(dependencies: Needs): Work<ChargeRow> {
  const { db } = dependencies
  const pace = makeBackoff(AT_ONCE)
  return {
    name: 'reconcile charges',
    idOf: ({ id }) => id,
    ...takeWithBackoff(pace, dependencies, (most, now) => chargesLease(db, most, now)),
    work: (charge) => reconcile(dependencies, charge, pace),
    renew: (rows) => chargeLeasesRenew(db, rows),
  }
}

async function reconcile(dependencies: Needs, charge: ChargeRow, pace: Backoff): Promise<WriteOutcome | undefined> {
  const { db, clock, log, payments } = dependencies
  const { id, order_id: order } = charge
  try {
    const provider = await payments.find(charge.provider)
    if (!provider) throw new Error(`The settings have no account for ${charge.provider}`)
    await resumeCharge(dependencies, provider, charge)
  } catch (error) {
    log.warn({ err: error, charge: id, order }, 'A charge could not be settled; it is tried again.')
  }
  const after = await chargeFind(db, id)
  if (!after || !isUnsettled(after.status)) {
    pace.answered()
    return undefined
  }
  if (after.status === 'requires_action') pace.answered()
  else pace.unanswered()
  if (after.status !== 'reversing') await keepHold(dependencies, after)
  return () => chargePostpone(db, id, new Date(clock().getTime() + RETRY_MS))
}

/** Keeps the slot reserved while the result of the charge is unknown, because the buyer may have paid. */
const keepHold = ({ makeChange, clock }: Needs, { checkout_id, status, created_at }: ChargeRow): Promise<void> =>
  makeChange(async (tx) => {
    const now = clock()
    const checkout = await checkoutLock(tx, checkout_id)
    const hold = checkout?.hold_id ? await holdLockById(tx, checkout.hold_id) : undefined
    // The buyer has a limited time to confirm the payment at the bank. The server ends the charge at its first check
    // after this time.
    const from = status === 'requires_action' ? created_at.getTime() + GRACE_MS : now.getTime()
    const until = deadlineAt(from + CHARGE_MINUTES * MINUTE)
    if (!checkout || !hold || !(await extendHold(tx, hold, until, now))) return
    await checkoutUpdate(tx, { ...checkout, expires_at: until, updated_at: now })
  })
