import type { FormPart } from './definition-form-parts.ts'

/** Returns the parts of the form of a service. Only a class or a table needs its times and places at first sight. */
export function serviceParts(type: unknown): readonly FormPart[] {
  const isClass = type === 'group'
  const hasCapacity = isClass || type === 'reservation'
  return [
    {
      heading: 'basics',
      shown: [
        'name',
        'description',
        'type',
        ['duration.fixed', 'duration'],
        ...(hasCapacity ? ['capacity'] : []),
        ...(isClass ? ['sessions'] : []),
      ],
      closed: [
        'duration.buffer_before',
        'duration.buffer_after',
        'duration',
        'duration_rules',
        'scheduled_duration',
        ...(hasCapacity ? [] : ['capacity']),
        ...(isClass ? [] : ['sessions']),
        'media',
        'localized',
      ],
    },
    {
      heading: 'place',
      shown: ['resources', 'locations', ['channel.type', 'channel']],
      closed: [
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
      closed: ['pricing.price_range', 'pricing.deposit', 'price_rules', 'payment_window'],
    },
    {
      heading: 'rules',
      shown: ['policies.booking_window', 'policies.confirmation_mode', 'policies.cancellation'],
      closed: [
        'policies.cancellation.late_cancellation_fee_percentage',
        'policies.cancellation.no_cancellation_after',
        'policies.rescheduling',
        'policies.no_show',
        'waitlist',
        'intake',
        'waiver',
      ],
    },
  ]
}
