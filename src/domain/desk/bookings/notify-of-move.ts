import { mailReplay, mailsWithhold, moveMails } from '../../../core/mails/queries.ts'
import { insertAuditEntry } from '../../../core/records/audit-log.ts'
import { asRecord } from '../../../infra/util/object-members.ts'
import { defineOperation } from '../../../protocol/define-operation.ts'
import { BusinessRefusal } from '../../../protocol/errors.ts'
import { peopleOfBooking } from '../../../protocol/list-records-about-people.ts'
import type { NotifyOfMoveOfBusinessBooking } from '../../../protocol/types.generated.ts'
import { idOrReference } from '../../bookings/booking-response.ts'
import { lockBooking } from '../../bookings/lock-and-save-booking.ts'
import { atDesk } from '../shared/operation-defaults.ts'
import { mailDescriber, notificationSchema } from './notification-schema.ts'

export const notifyOfMove = defineOperation<NotifyOfMoveOfBusinessBooking>({
  ...atDesk,
  id: 'notifyOfMoveOfBusinessBooking',
  rest: 'POST /business/bookings/{booking_id}/notify_of_move',
  tool: 'usp_business_bookings_notify_of_move',
  title: 'Decide whether the buyer is notified of a move',
  description:
    'Withholds the notification about the last move by the staff, while it waits, or sends a withheld notification ' +
    'now. Platforms and calendars always get the move at once.',
  effect: 'update',
  input: {
    type: 'object',
    required: ['booking_id', 'notify_buyer'],
    properties: {
      booking_id: idOrReference,
      notify_buyer: { type: 'boolean', description: 'false: withhold the notification; true: send it.' },
    },
  },
  output: {
    type: 'object',
    required: ['booking_id', 'told'],
    properties: {
      booking_id: { type: 'string', description: 'Id of the booking.' },
      told: { type: 'array', items: notificationSchema, description: 'The notification, once for each channel.' },
    },
  },
  people: ({ booking_id: id }) => peopleOfBooking({ booking: { id } }),
  summary: ({ told }) => `The notification about the move: ${told.map(({ status }) => status).join(', ')}.`,
  async handle(context) {
    const { input, db, caller, now } = context
    const booking = await lockBooking(context, input.booking_id)
    const subject = `booking ${booking.id}`
    // Each move and a cancellation increase `sequence`, so an equal number means that the mail is about the current
    // time.
    const isCurrent = (snapshot: unknown) =>
      asRecord(asRecord(snapshot).record).sequence === booking.record.sequence && booking.status !== 'canceled'
    const before = (await moveMails(db, subject)).filter(({ snapshot }) => isCurrent(snapshot))
    if (before.length === 0) throw noSuchMove()
    const withheld = before.filter(({ status }) => status === 'dropped')
    if (input.notify_buyer) for (const { id } of withheld) await mailReplay(db, id, now)
    const changed = input.notify_buyer
      ? withheld.length > 0
      : await mailsWithhold(
          db,
          before.map(({ id }) => id),
          now,
        )
    const after = await moveMails(db, subject)
    if (!input.notify_buyer && after.some(({ status }) => status !== 'dropped')) throw tooLate()
    if (changed) {
      const action = input.notify_buyer ? 'notify_of_move' : 'withhold_notification'
      insertAuditEntry(db, { actor: caller.principal, action, subject, from: null, to: null }, now)
    }
    return { booking_id: booking.id, told: after.map(await mailDescriber(context, booking.record.zone)) }
  },
})

const noSuchMove = () =>
  new BusinessRefusal('invalid_transition', 'There is no notification about the current time of the booking.')

const tooLate = () =>
  new BusinessRefusal('invalid_transition', 'The notification is already sent, or is being sent.', '$.notify_buyer')
