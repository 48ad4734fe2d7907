import { deliveriesReplay, deliveryFind } from '../../../core/events/deliveries/delivery-queries.ts'
import { mailFind, mailReplay } from '../../../core/mails/queries.ts'
import { insertAuditEntry } from '../../../core/records/audit-log.ts'
import { type ChangeContext, defineOperation } from '../../../protocol/define-operation.ts'
import { BusinessRefusal } from '../../../protocol/errors.ts'
import { peopleOfBooking } from '../../../protocol/list-records-about-people.ts'
import type { TellAgainOfBusinessBooking } from '../../../protocol/types.generated.ts'
import { idOrReference } from '../../bookings/booking-response.ts'
import { readBooking } from '../../bookings/lock-and-save-booking.ts'
import { atDesk, notFound } from '../shared/operation-defaults.ts'
import { isAbout, mailDescriber, notificationSchema, toEventNotification } from './notification-schema.ts'

export const resendNotification = defineOperation<TellAgainOfBusinessBooking>({
  ...atDesk,
  id: 'tellAgainOfBusinessBooking',
  rest: 'POST /business/bookings/{booking_id}/tell_again',
  tool: 'usp_business_bookings_tell_again',
  title: 'Send a notification again',
  description:
    'Sends a mail or an event about a booking again, unchanged and to the same receiver. A buyer whose address ' +
    'was corrected has already been notified at the new address.',
  effect: 'update',
  input: {
    type: 'object',
    required: ['booking_id', 'told_id'],
    properties: {
      booking_id: idOrReference,
      told_id: { type: 'string', minLength: 1, description: 'Id of the mail or the delivery.' },
    },
  },
  output: {
    type: 'object',
    required: ['booking_id', 'told'],
    properties: { booking_id: { type: 'string', description: 'Id of the booking.' }, told: notificationSchema },
  },
  people: ({ booking_id: id }) => peopleOfBooking({ booking: { id } }),
  summary: ({ told: { what, audience } }) => `The notification to the ${audience} is sent again: ${what}.`,
  async handle(context) {
    const { input, db, caller, now } = context
    const { id, record } = await readBooking(context, input.booking_id)
    const subject = `booking ${id}`
    const notification =
      (await mailAgain(context, subject, record.zone)) ?? (await eventAgain(context, subject, record.zone))
    if (!notification) throw notFound('message of this booking', input.told_id)
    const by = { actor: caller.principal, action: 'tell_again', subject, from: null, to: null }
    insertAuditEntry(db, { ...by, detail: { told: input.told_id } }, now)
    return { booking_id: id, told: notification }
  },
})

type Asked = ChangeContext<TellAgainOfBusinessBooking['input']>

async function mailAgain(context: Asked, subject: string, zone: string) {
  const { db, now, input } = context
  const found = await mailFind(db, input.told_id)
  if (!found || !isAbout(found, subject)) return undefined
  if (!(await mailReplay(db, input.told_id, now))) throw notAgain()
  const mail = await mailFind(db, input.told_id)
  return mail && (await mailDescriber(context, zone))(mail)
}

async function eventAgain({ db, now, input: { told_id: id } }: Asked, subject: string, zone: string) {
  if ((await deliveryFind(db, id))?.subject !== subject) return undefined
  if ((await deliveriesReplay(db, [id], now)).length === 0) throw notAgain()
  const delivery = await deliveryFind(db, id)
  return delivery && toEventNotification(delivery, zone)
}

const notAgain = () =>
  new BusinessRefusal(
    'invalid_transition',
    'It is already being sent, or there is no longer anyone to notify.',
    '$.told_id',
  )
