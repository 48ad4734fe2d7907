import type { ObjectSchema } from '../../../protocol/operation.ts'

export const erasedOutput: ObjectSchema = {
  type: 'object',
  required: ['booking_ids'],
  properties: {
    booking_ids: {
      type: 'array',
      items: { type: 'string' },
      description: 'The bookings that name nobody any more and did before.',
    },
  },
}

export const erasedSummary = ({ booking_ids: { length } }: { booking_ids: string[] }): string =>
  length === 0
    ? 'Nobody was named any more.'
    : `${length === 1 ? 'One booking names' : `${length} bookings name`} nobody now.`
