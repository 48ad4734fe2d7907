import { businessWith, service } from '../support/definitions.ts'
import { generousLimits } from '../support/generous-limits.ts'

export const CLASS = 'svc_class'

const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const

/** A business whose classes have room for all bookings of a test. */
export const business = businessWith(
  [
    service(CLASS, {
      type: 'group',
      capacity: { max: 10_000 },
      sessions: ['09:00', '10:00', '11:00', '12:00'].map((starts) => ({ days: [...days], starts })),
    }),
  ],
  { hours: [{ days: [...days], opens: '09:00', closes: '13:00' }], limits: generousLimits },
)
