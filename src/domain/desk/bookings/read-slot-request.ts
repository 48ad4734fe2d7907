import { MINUTE, secondsOf } from '../../../infra/time/time-units.ts'
import { invalidInput, ProtocolError } from '../../../protocol/errors.ts'
import type { Tag } from '../../../protocol/keyed-digest.ts'
import { slotUnavailable } from '../../availability/allocate-slot.ts'
import { readMoment } from '../../availability/read-query-range.ts'
import { durationAfterMove, durationWith, endOf } from '../../availability/service-durations.ts'
import { type Plan, resourcesOf } from '../../availability/service-scheduling-plan.ts'
import { readSlotId } from '../../availability/time-slot-response.ts'
import { withDuration } from './drop-overridden-booking-rules.ts'
import type { SlotRequest } from './slot-request.ts'

/**
 * The time that the staff request for a booking. `plan` contains the booking settings of the service, with only the
 * acceptable resources. `start` and `end` are in milliseconds since 1970.
 */
export interface RequestedTime {
  plan: Plan
  start: number
  end: number
  location: string | undefined
}

/**
 * The current time, location and resources of the booking. If a request leaves out one of these values, the booking
 * keeps its current value.
 */
export interface CurrentTime {
  start: number
  end: number
  location: string | undefined
  resources: readonly string[]
}

export function readSlotRequest(plan: Plan, tag: Tag, request: SlotRequest, current?: CurrentTime): RequestedTime {
  if (request.slot_id !== undefined) return timeOfSlot(plan, tag, request.slot_id)
  if (request.start === undefined)
    throw new ProtocolError('invalid_request', 'Give a slot_id or a start.', {
      errors: [{ field: 'start', message: 'is missing, and so is slot_id' }],
    })
  const unknown = request.resource_ids?.find((id) => plan.service.type !== 'group' && !resourcesOf(plan).includes(id))
  if (unknown !== undefined) throw invalidInput(`${unknown} does not belong to this service.`, '$.resource_ids')
  if (request.location_id !== undefined && !plan.locations.includes(request.location_id))
    throw invalidInput('This service is not offered at that location.', '$.location_id')
  const start = wholeMinute(readMoment('start', request.start))
  const duration = durationOf(plan, request, current)
  const wanted = withDuration(plan, duration, request.resource_ids ?? current?.resources ?? [])
  return {
    plan: request.resource_ids ? withOnly(wanted, request.resource_ids) : withChosen(wanted, current?.resources ?? []),
    start,
    end: endOf(plan, start, duration),
    location: request.location_id ?? current?.location,
  }
}

function timeOfSlot(plan: Plan, tag: Tag, id: string): RequestedTime {
  const key = readSlotId(tag, id)
  if (key?.service !== plan.service.id) throw slotUnavailable()
  const { start, end, location, picks } = key
  return { plan: withOnly(plan, picks), start, end, location }
}

function durationOf(
  plan: Plan,
  { duration, resource_ids = [] }: SlotRequest,
  current: CurrentTime | undefined,
): number {
  const { durations } = plan
  if (duration !== undefined) {
    const requested = secondsOf(duration) * 1000
    if (!durations.includes(requested))
      throw invalidInput('The service cannot be booked for this duration.', '$.duration')
    return requested
  }
  if (!current) return durationWith(plan, resource_ids) ?? durations[0] ?? 0
  const { start, end, resources } = current
  // The staff may have given this booking a duration that the service does not offer. The booking then keeps it.
  const length = durations.find((one) => endOf(plan, start, one) === end) ?? end - start
  return durationAfterMove(plan, { length, resources }, resource_ids)
}

function wholeMinute(instant: number): number {
  if (instant % MINUTE !== 0) throw invalidInput('It must begin at a full minute.', '$.start')
  return instant
}

const withOnly = (plan: Plan, ids: readonly string[]): Plan => narrowed(plan, ids, () => true)

/**
 * Limits the plan (the booking settings) to the resources that the buyer chose. The server can assign other resources
 * than before for the rest, because the booking moves.
 */
const withChosen = (plan: Plan, ids: readonly string[]): Plan => narrowed(plan, ids, ({ selectable }) => selectable)

type Requirement = Plan['requirements'][number]

const narrowed = (plan: Plan, ids: readonly string[], concerns: (one: Requirement) => boolean): Plan => ({
  ...plan,
  requirements: plan.requirements.map((requirement) => {
    const candidates = concerns(requirement) ? requirement.candidates.filter(({ id }) => ids.includes(id)) : []
    return candidates.length > 0 ? { ...requirement, candidates } : requirement
  }),
})
