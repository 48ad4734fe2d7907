import type { UnitOfWork } from '../../../infra/db/unit-of-work.ts'
import { waitForSlot } from '../../availability/find-slot.ts'
import { readMoment } from '../../availability/read-query-range.ts'
import { moment } from '../shared/operation-defaults.ts'

/** The booking rules that the staff can override. Not even the staff can book time that is already occupied. */
export const rules = ['booking_window', 'hours', 'capacity'] as const
export type Rule = (typeof rules)[number]

export const overrideAdvice = (missing: readonly Rule[]) =>
  `Add ${missing.join(' and ')} to override to book it anyway.`

/** The time that the staff request for a booking. The request names a slot id or a start. */
export interface SlotRequest {
  slot_id?: string
  start?: string
  duration?: string
  resource_ids?: string[]
  location_id?: string
  override?: Rule[]
}

export const slotRequestProperties = {
  slot_id: { type: 'string', minLength: 1, maxLength: 4000, description: 'Id of a slot; or give `start` instead.' },
  start: moment('When it begins, to the minute. It may be a time that buyers are not offered.'),
  duration: {
    type: 'string',
    format: 'duration',
    description: 'The duration, if there is a choice; by default the shortest, or that of the people.',
  },
  resource_ids: {
    type: 'array',
    items: { type: 'string' },
    uniqueItems: true,
    maxItems: 20,
    description: 'People, rooms and things; free ones when left out.',
  },
  location_id: { type: 'string', description: 'The location; any of the service when left out.' },
  override: {
    type: 'array',
    items: { enum: rules },
    uniqueItems: true,
    description:
      'Rules to set aside if needed: booking_window (past or too far ahead), hours (of business and people), ' +
      'capacity (too many people). Never occupied time.',
  },
}

/**
 * Waits until other calls for the same slot or the same start have ended. A request without a new time does not wait
 * here, but later for the lock of its booking.
 */
export async function waitForTime(tx: UnitOfWork, { slot_id, start }: SlotRequest): Promise<void> {
  if (slot_id !== undefined) await waitForSlot(tx, slot_id)
  else if (start !== undefined) await tx.waitForSlot(`time ${readMoment('start', start)}`)
}
