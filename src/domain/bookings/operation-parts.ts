import type { ObjectSchema } from '../../protocol/operation.ts'
import { shape } from '../../protocol/schemas.ts'
import type { Booking } from '../../protocol/types.generated.ts'

export const bookingId = { type: 'string', minLength: 1, description: 'Id of the booking.' }

export const idOrReference = { ...bookingId, description: 'Id of the booking, or its reference, such as KPVX-QRST.' }

export const bookingOutput: ObjectSchema = {
  type: 'object',
  required: ['booking'],
  properties: { booking: shape('Booking') },
}

export const summary = ({ booking }: { booking: Booking }): string => {
  const { id, service_name, slot, status } = booking
  return `Booking ${id}: ${service_name} at ${slot.start}, ${status.replaceAll('_', ' ')}.`
}

export const onBooking = {
  capability: 'dev.usp-protocol.services.bookings',
  access: 'privileged_scoped',
  resource: ({ booking_id }: { booking_id: string }) => ({ kind: 'booking' as const, id: booking_id }),
  output: bookingOutput,
  summary,
} as const
