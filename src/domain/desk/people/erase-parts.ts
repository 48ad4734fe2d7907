import type { ObjectSchema } from '../../../protocol/operation.ts'

export const erasedOutput: ObjectSchema = {
  type: 'object',
  required: ['booking_ids'],
  properties: {
    booking_ids: {
      type: 'array',
      items: { type: 'string' },
      description: 'The bookings whose people were erased by this call.',
    },
  },
}

export const erasedSummary = ({ booking_ids: { length } }: { booking_ids: string[] }): string =>
  length === 0
    ? 'There were no people to erase.'
    : `The people of ${length === 1 ? 'one booking' : `${length} bookings`} were erased.`
