import type { Context } from '../../../protocol/define-operation.ts'
import { isRefusal, reworded } from '../../../protocol/errors.ts'
import { slotUnavailable } from '../../availability/allocate-slot.ts'
import { refuseOutsideWindow, type Slot, unknownService } from '../../availability/find-slot.ts'
import { planOf } from '../../availability/service-scheduling-plan.ts'
import { slotId } from '../../availability/time-slot-response.ts'
import type { BookingRow } from '../../bookings/booking-row.ts'
import { checkParty } from '../../bookings/check-booking-request.ts'
import { type CurrentTime, readSlotRequest } from './read-slot-request.ts'
import { resolveSession, resolveTime } from './resolve-requested-time.ts'
import { overrideAdvice, type Rule, type SlotRequest } from './slot-request.ts'

export interface ResolvedSlot {
  slot: Slot
  overridden: Rule[]
}

/**
 * Finds the slot that the staff request, and checks all rules that the request does not override. The slot may already
 * be occupied. The server checks that later, when it reserves the slot.
 */
export async function resolveSlot(
  { db, business, tag, now }: Pick<Context, 'db' | 'business' | 'tag' | 'now'>,
  { service, party, current }: { service: string; party: number; current?: CurrentTime },
  request: SlotRequest,
): Promise<ResolvedSlot> {
  const plan = planOf(await business.get(), service)
  if (!plan) throw unknownService(service)
  if ((plan.service.status ?? 'active') !== 'active') throw slotUnavailable()
  const { override = [] } = request
  const requested = readSlotRequest(plan, tag, request, current)
  const found =
    plan.service.type === 'group'
      ? await resolveSession(db, requested, now)
      : await resolveTime(db, requested, { party, override }, now)
  const { start, end, location, picks } = found.time
  const id = slotId(tag, { service, start, end, location, picks })
  const slot = { id, plan: found.plan, time: found.time }
  const overridden = new Set(found.needed)
  const check = (rule: Rule, refuse: () => void) => {
    if (isSetAside(rule, override, refuse)) overridden.add(rule)
  }
  check('booking_window', () => refuseOutsideWindow(slot, now, 0))
  check('capacity', () => checkParty(party, slot))
  return { slot, overridden: [...overridden] }
}

/**
 * Finds the slot that the staff request for an existing booking. For each value that the request leaves out, such as
 * the location, the current value of the booking applies.
 */
export function resolveSlotOf(
  context: Pick<Context, 'db' | 'business' | 'tag' | 'now'>,
  { service_id: service, record, starts_at, ends_at, resource_ids: resources }: BookingRow,
  request: SlotRequest,
): Promise<ResolvedSlot> {
  const times = { start: starts_at.getTime(), end: ends_at.getTime() }
  const current = { ...times, location: record.location?.id, resources }
  return resolveSlot(context, { service, party: record.party_size, current }, request)
}

/**
 * Tells whether the staff override a rule that forbids this slot. Returns false if the rule allows the slot. If the
 * rule forbids the slot and the request does not override it, the function throws a refusal with advice.
 */
export function isSetAside(rule: Rule, override: readonly Rule[], refuse: () => void): boolean {
  try {
    refuse()
    return false
  } catch (error) {
    if (!isRefusal(error)) throw error
    if (!override.includes(rule)) throw reworded(error, `${error.message} ${overrideAdvice([rule])}`)
    return true
  }
}
