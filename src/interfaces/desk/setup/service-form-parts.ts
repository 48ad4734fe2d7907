import { asRecord } from '../../../infra/util/object-members.ts'
import type { FormPart } from './definition-form-parts.ts'

/**
 * Returns the parts of the form of a service. A class or a reservation (such as a table) shows its capacity at once. A
 * class also shows its times. If customers choose the duration, the form shows the range.
 */
export function serviceParts({ type, duration }: Readonly<Record<string, unknown>>): readonly FormPart[] {
  const length = asRecord(duration).range === undefined ? 'duration.fixed' : 'duration.range'
  const isClass = type === 'group'
  const hasCapacity = isClass || type === 'reservation'
  return [
    {
      heading: 'basics',
      shown: [
        'name',
        'description',
        'type',
        [length, 'duration'],
        ...(hasCapacity ? ['capacity'] : []),
        ...(isClass ? ['sessions'] : []),
      ],
      collapsed: [
        'duration.buffer_before',
        'duration.buffer_after',
        'duration',
        'duration_rules',
        'scheduled_duration',
        ...(hasCapacity ? [] : ['capacity']),
        ...(isClass ? [] : ['sessions']),
        'media',
      ],
    },
    {
      heading: 'place',
      shown: ['resources', 'locations', ['channel.type', 'channel']],
      collapsed: [
        'channel.instructions',
        'channel.virtual_provider',
        'channel.service_area',
        'travel_time',
        'service_limits',
      ],
    },
    {
      heading: 'price',
      shown: [
        'pricing.model',
        'pricing.amount',
        'pricing.currency',
        'policies.requires_payment',
        'policies.payment_timing',
      ],
      collapsed: ['pricing.price_range', 'pricing.deposit', 'price_rules', 'payment_window'],
    },
    {
      heading: 'rules',
      shown: ['policies.booking_window', 'policies.confirmation_mode', 'policies.cancellation'],
      collapsed: [
        'policies.cancellation.late_cancellation_fee_percentage',
        'policies.cancellation.no_cancellation_after',
        'policies.rescheduling',
        'policies.no_show',
        'reminder',
        'waitlist',
        'intake',
        'waiver',
      ],
    },
  ]
}
