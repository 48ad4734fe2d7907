import { insertAuditEntry } from '../../core/records/audit-log.ts'
import { deadlineAt, MINUTE } from '../../infra/time/time-units.ts'
import { newId } from '../../infra/util/random-bytes.ts'
import type { ChangeContext } from '../../protocol/define-operation.ts'
import { BusinessRefusal, ProtocolError } from '../../protocol/errors.ts'
import type { CompleteCheckout, Message } from '../../protocol/types.generated.ts'
import { extendHold } from '../availability/extend-hold.ts'
import { requireBookable } from './book-completed-checkout.ts'
import { openTasks } from './buyer-tasks.ts'
import { CHARGE_MINUTES } from './charge-lifecycle.ts'
import { type ChargeRow, chargeInsert, chargesOf } from './charge-queries.ts'
import { type CheckoutRow, dueNow } from './checkout-row.ts'
import { errorMessage, messageAbout } from './error-messages.ts'
import { checkout as lifecycle } from './lifecycle.ts'
import { lockCheckout } from './lock-checkout.ts'
import { instrumentIn, type PaymentToken } from './selected-payment-token.ts'

/**
 * The possible results of a request to pay for a UCP checkout: nothing to charge, a refusal, a new charge, or the
 * charge of an earlier request.
 */
export type Begun =
  | { kind: 'nothing' }
  | { kind: 'refused'; messages: Message[] }
  | { kind: 'begun'; charge: ChargeRow; token: PaymentToken; name: string }
  | { kind: 'earlier'; charge: ChargeRow }

/**
 * The maximum number of failed charges of one UCP checkout. The limit exists because each attempt reserves the slot for
 * longer, and lets a platform try out another payment token.
 */
const MOST_FAILURES = 5

const tooManyFailures = errorMessage(
  'payment_failed',
  `${MOST_FAILURES} payments of this checkout have failed, so it takes no more. Cancel it, and create another checkout.`,
  '$.payment.instruments',
)

/**
 * Charges can keep a slot reserved for at most this number of minutes. Without the limit, a platform could reserve a
 * slot forever with payment tokens that the bank declines.
 */
const LONGEST_MINUTES = 30

type Context = ChangeContext<CompleteCheckout['input']>

/**
 * Checks that the slot can still be booked, before the payment provider takes money. The function then stores the
 * charge, so that a repeated request finds the stored charge.
 */
export async function beginCharge(context: Context): Promise<Begun> {
  const { db, caller, now, request, input, config, business } = context
  const row = await lockCheckout(context, input.id)
  const charges = await chargesOf(db, row.id)
  const earlier = charges.find((charge) => isRetry(charge, context))
  if (earlier) return { kind: 'earlier', charge: earlier }
  const lacksAnything = row.faults.length > 0 || openTasks(row).length > 0
  if (row.status !== 'open' || dueNow(row) === 0 || lacksAnything) return { kind: 'nothing' }
  const instrument = instrumentIn(input, await business.get(), config)
  if ('messages' in instrument) return { kind: 'refused', messages: instrument.messages }
  if (charges.filter(({ status }) => status === 'failed' || status === 'reversed').length >= MOST_FAILURES)
    return { kind: 'refused', messages: [tooManyFailures] }
  const held = await keepSlot(context, row)
  if (held instanceof BusinessRefusal) return { kind: 'refused', messages: [messageAbout(held)] }
  const status = lifecycle.after(row.status, 'begin')
  const { agreed, order_id, booking_id } = row
  const charge: ChargeRow = {
    created_at: now,
    id: newId('chg'),
    checkout_id: row.id,
    order_id,
    booking_id,
    provider: 'stripe',
    reference: null,
    amount: dueNow(row),
    currency: agreed.currency,
    status: 'intended',
    actor: caller.principal,
    request_key: request.key() ?? null,
    request_digest: request.fingerprint(),
    problem: null,
    returned_by_hand: false,
  }
  if (!(await chargeInsert(db, charge, { status, expires_at: held }, now))) throw keyInUse()
  const change = { from: row.status, to: status, detail: { order: order_id, charge: charge.id } }
  insertAuditEntry(db, { actor: caller.principal, action: 'charge', subject: `checkout ${row.id}`, ...change }, now)
  return { kind: 'begun', charge, token: instrument.token, name: agreed.service.name }
}

/**
 * Tells whether an earlier copy of this request started the charge. Throws a conflict error if a different request used
 * the same idempotency key.
 */
function isRetry({ request_key, request_digest }: ChargeRow, { request }: Context): boolean {
  if (request_key === null || request_key !== request.key()) return false
  if (!request.fingerprint().equals(request_digest)) throw keyInUse()
  return true
}

/**
 * This error means that two different requests used the same idempotency key. The stored replies cannot show this
 * conflict, because the server stores a reply only after the charge is settled.
 */
const keyInUse = () =>
  new ProtocolError('idempotency_conflict', 'This Idempotency-Key was used for another request. Use a new one.')

/**
 * Extends the hold (the reservation of the slot) for the time of the payment. Returns the new end of the hold, or a
 * refusal if the slot can no longer be booked.
 */
async function keepSlot(context: Context, row: CheckoutRow): Promise<Date | BusinessRefusal> {
  const { db, now } = context
  try {
    const { hold } = await requireBookable(context, row)
    const latest = hold.created_at.getTime() + LONGEST_MINUTES * MINUTE
    const until = deadlineAt(Math.min(now.getTime() + CHARGE_MINUTES * MINUTE, latest))
    if (until <= now || !(await extendHold(db, hold, until, now)))
      throw new BusinessRefusal('hold_expired', 'The hold has ended.')
    return until > hold.expires_at ? until : hold.expires_at
  } catch (error) {
    if (error instanceof BusinessRefusal) return error
    throw error
  }
}
