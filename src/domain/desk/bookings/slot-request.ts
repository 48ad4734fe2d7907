import { moment } from '../shared/operation-parts.ts'

/** Rules that the staff may set aside. They can never book claimed time. */
export const rules = ['booking_window', 'hours', 'capacity'] as const
export type Rule = (typeof rules)[number]

export const overrideAdvice = (missing: readonly Rule[]) =>
  `Add ${missing.join(' and ')} to override to book all the same.`

/** The time of a booking, as the staff request it: by a slot id, or by any start. */
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
  start: moment('When it begins, to the minute. It need not be a time that buyers are offered.'),
  duration: {
    type: 'string',
    format: 'duration',
    description:
      'How long, where the service leaves a choice; when left out the shortest, or as long as it takes with whom is named.',
  },
  resource_ids: {
    type: 'array',
    items: { type: 'string' },
    uniqueItems: true,
    maxItems: 20,
    description: 'With whom and with what; whoever is free when left out.',
  },
  location_id: { type: 'string', description: 'Where; any place of the service when left out.' },
  override: {
    type: 'array',
    items: { enum: rules },
    uniqueItems: true,
    description:
      'Rules to set aside if need be: the booking_window (times that are past or too far ahead; the notice that buyers have to ' +
      'give does not bind the staff), the hours of the business and its people, the capacity in people. It stays written ' +
      'which were. Time that is taken stays taken.',
  },
}
