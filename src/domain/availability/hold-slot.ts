import { issueScopedCredential } from '../../core/authentication/booking-scoped-credentials.ts'
import { claimEnd } from '../../core/ledger/resource-claims.ts'
import { useStrangerQuota } from '../../core/limits/stranger-caller-quota.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import { networkOf } from '../../infra/net/ip-addresses.ts'
import { deadlineAt, MINUTE } from '../../infra/time/time-units.ts'
import { newId } from '../../infra/util/random-bytes.ts'
import type { Caller } from '../../protocol/caller-types.ts'
import { type ChangeContext, defineOperation } from '../../protocol/define-operation.ts'
import { BusinessRefusal, isRefusal } from '../../protocol/errors.ts'
import { shape } from '../../protocol/json-schemas.ts'
import type { HoldSlot } from '../../protocol/types.generated.ts'
import { priceTerms } from '../pricing/slot-price.ts'
import { type AllocationRequest, allocateSlot, allocateSlotNow, slotUnavailable } from './allocate-slot.ts'
import { HOLD_MINUTES, UNOPENED_MINUTES } from './availability-limits.ts'
import { atMost } from './closure-and-party-notices.ts'
import { findSlot, refuseOutsideWindow, type Slot, waitForSlot } from './find-slot.ts'
import { maxHoldsOf, requireFewHolds, requireFewUnopened } from './hold-limits.ts'
import { findOwnOffer, type HoldRow, holdInsert, toHold } from './hold-queries.ts'
import { largestParty } from './party-size-capacity.ts'

export const holdSlot = defineOperation<HoldSlot>({
  id: 'holdSlot',
  rest: 'POST /availability/holds',
  tool: 'usp_availability_hold',
  title: 'Hold a slot',
  description:
    'Reserves a slot for the caller for 10 minutes. Name the hold when you book: the booking then costs no more than the hold showed. Release a hold that you do not need.',
  capability: 'dev.usp-protocol.services.availability',
  access: 'privileged_platform',
  effect: 'create',
  limit: 'holds',
  input: {
    type: 'object',
    required: ['slot_id', 'service_id'],
    properties: {
      slot_id: { type: 'string', minLength: 1, maxLength: 4000, description: 'Id of the slot.' },
      service_id: { type: 'string', minLength: 1, description: 'The service it is a slot of.' },
      spots: { type: 'integer', minimum: 1, maximum: 10_000, default: 1, description: 'How many places to hold.' },
    },
  },
  output: {
    type: 'object',
    required: ['hold'],
    properties: { hold: shape('Hold'), booking_scoped_credential: shape('BookingScopedCredential') },
  },
  summary: ({ hold: { id, expires_at } }) => `Hold ${id} reserves the slot until ${expires_at}.`,
  async handle(context) {
    const { input, caller, db, now, business, tag } = context
    const { slot_id, service_id, spots = 1 } = input
    await waitForSlot(db, slot_id)
    const definition = await business.get()
    const slot = await findSlot(db, definition, { tag, service: service_id, id: slot_id, now })
    refuseOutsideWindow(slot, now)
    const row = await placeHold(context, slot, spots)
    const { zone } = slot.plan
    const credential = issueScopedCredential(db, holderOf(row), caller, { expiresAt: row.expires_at, zone })
    return { hold: toHold(row, zone, now), ...(credential && { booking_scoped_credential: credential }) }
  },
})

const holderOf = ({ id }: { id: string }) => ({ kind: 'hold', id }) as const

type Holding = Pick<ChangeContext, 'caller' | 'db' | 'now' | 'business' | 'peer'>

/** Places a hold (a short reservation) on a slot for the caller. Throws an error if the caller has too many holds. */
export async function placeHold(
  { caller, db, now, business, peer }: Holding,
  slot: Slot,
  spots: number,
): Promise<HoldRow> {
  const { id: slot_id, plan, time } = slot
  const service_id = plan.service.id
  refuseTooMany(slot, spots)
  const { principal, profile } = caller
  const owner = { principal, profile, address: networkOf(peer.address) }
  const most = maxHoldsOf(caller, (await business.get())?.limits)
  requireFewHolds(db, { ...owner, most }, service_id, now)
  const id = newId('hold')
  if (caller.stranger) useStrangerQuota(db, caller.stranger, { kind: 'hold', id }, now)
  // An AI assistant places this hold, and the buyer has not opened the link to the hold yet. Therefore the hold is
  // shorter than usual.
  const isUnopened = caller.mechanism === 'assistant'
  const unopened_on = isUnopened ? await requireFewUnopened(db, slot, spots, now) : null
  const expiresAt = deadlineAt(now.getTime() + (isUnopened ? UNOPENED_MINUTES : HOLD_MINUTES) * MINUTE)
  const wanted = { plan, time, party: spots, holder: holderOf({ id }), expiresAt, now }
  const mayHaveOffer = plan.service.capacity?.waitlist === true && spots === 1 && acceptsByOperation(caller)
  const offer = mayHaveOffer ? await findOwnOffer(db, caller, { service_id, slot_id }, now) : undefined
  const isOffered = offer !== undefined && !(await allocateIfFree(db, wanted))
  if (offer === undefined) await allocateOrRefuse(db, wanted)
  const expires_at = isOffered && offer.expires_at < expiresAt ? offer.expires_at : expiresAt
  return holdInsert(db, {
    id,
    slot_id,
    service_id,
    spots,
    unopened_on,
    ...owner,
    created_at: now,
    expires_at,
    price: priceTerms(plan, time),
    offer: isOffered ? offer.id : null,
  })
}

function refuseTooMany({ plan }: Slot, spots: number): void {
  const most = largestParty(plan)
  if (spots > most) throw new BusinessRefusal('slot_unavailable', `${atMost(most)} Hold fewer places.`, '$.spots')
}

async function allocateOrRefuse(tx: UnitOfWork, wanted: AllocationRequest) {
  try {
    await allocateSlot(tx, wanted)
  } catch (error) {
    // If a slot has too few free seats, callers of `holdSlot` expect the code `slot_unavailable`.
    throw error instanceof BusinessRefusal && error.code === 'capacity_exceeded' ? slotUnavailable() : error
  }
}

/**
 * Whether the caller accepts a waitlist offer (a slot that the server reserves for a waiting buyer) by placing a hold.
 * Buyers on the booking pages or with an AI assistant accept offers on a web page instead, and need no hold.
 */
const acceptsByOperation = ({ mechanism, profile }: Caller): boolean => profile !== '' || mechanism === 'none'

/**
 * Reserves the slot and returns true, if the slot has enough free time or seats. Time or seats that waitlist offers
 * reserve do not count as free.
 */
async function allocateIfFree(tx: UnitOfWork, wanted: AllocationRequest): Promise<boolean> {
  try {
    await allocateSlotNow(tx, wanted)
    return true
  } catch (error) {
    if (!isRefusal(error)) throw error
    // A slot may need several resources, such as a person and a room. The refused attempt may have reserved some of
    // these resources. `claimEnd` releases them.
    await claimEnd(tx, wanted.holder)
    return false
  }
}
