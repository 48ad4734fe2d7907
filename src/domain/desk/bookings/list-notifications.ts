import { deliveryList } from '../../../core/events/deliveries/delivery-queries.ts'
import { mailsAbout } from '../../../core/mails/queries.ts'
import { defineOperation } from '../../../protocol/define-operation.ts'
import type { ListBusinessBookingTold } from '../../../protocol/types.generated.ts'
import { idOrReference } from '../../bookings/booking-response.ts'
import { readBooking } from '../../bookings/lock-and-save-booking.ts'
import { MAX_NOTIFICATIONS } from '../shared/desk-list-limits.ts'
import { atDesk } from '../shared/operation-defaults.ts'
import { mailDescriber, notificationSchema, toEventNotification } from './notification-schema.ts'

export const listNotifications = defineOperation<ListBusinessBookingTold>({
  ...atDesk,
  id: 'listBusinessBookingTold',
  rest: 'GET /business/bookings/{booking_id}/told',
  tool: 'usp_business_bookings_told',
  title: 'List the notifications of a booking',
  description:
    'Lists the mails about a booking and the events sent to platforms, newest first, with their status. Up to ' +
    `${MAX_NOTIFICATIONS} of each; mails are stored for a month.`,
  effect: 'read',
  input: { type: 'object', required: ['booking_id'], properties: { booking_id: idOrReference } },
  output: { type: 'object', required: ['told'], properties: { told: { type: 'array', items: notificationSchema } } },
  summary: ({ told }) => `${told.length} ${told.length === 1 ? 'message' : 'messages'}.`,
  async handle(context) {
    const { db, input } = context
    const { id, series, record } = await readBooking(context, input.booking_id)
    const subject = `booking ${id}`
    const any = { status: undefined, receiver: undefined, before: undefined }
    const [mailTold, mails, deliveries] = await Promise.all([
      mailDescriber(context, record.zone),
      mailsAbout(db, { id, series }, MAX_NOTIFICATIONS),
      deliveryList(db, { ...any, subject, limit: MAX_NOTIFICATIONS }),
    ])
    const all = [...mails.map(mailTold), ...deliveries.map((delivery) => toEventNotification(delivery, record.zone))]
    return { told: all.toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at)) }
  },
})
