import type { DeliveryRow } from '../../../core/events/deliveries/delivery-queries.ts'
import type { NotificationText } from '../../../core/mails/notification-text.ts'
import { addressOf, type MailRow } from '../../../core/mails/queries.ts'
import { englishLocalizer, localizerFor } from '../../../infra/i18n/localizer.ts'
import { rfc3339Exact } from '../../../infra/time/time-zone.ts'
import { asRecord } from '../../../infra/util/object-members.ts'
import type { Context, ObjectSchema } from '../../../protocol/define-operation.ts'
import { bookingNotificationWriter } from '../../notifications/booking-notification.ts'
import { moment } from '../shared/operation-defaults.ts'

export const notificationSchema: ObjectSchema = {
  type: 'object',
  required: ['id', 'way', 'what', 'audience', 'status', 'attempts', 'at'],
  properties: {
    id: { type: 'string', description: 'Id of the mail or the delivery.' },
    way: {
      enum: ['mail', 'webhook', 'text', 'event'],
      description: 'The channel. event: a signed event to a platform.',
    },
    what: { type: 'string', description: 'The kind of notification, such as booking.confirmed.' },
    subject: { type: 'string', description: 'Subject line of a mail; missing after it is erased.' },
    audience: { enum: ['buyer', 'staff', 'platform'], description: 'The audience.' },
    to: { type: 'string', description: 'The email address, phone number or platform; missing after it is erased.' },
    status: {
      enum: ['waiting', 'sent', 'given_up', 'dropped', 'unwanted'],
      description:
        'dropped: not sent, because the staff withheld it or no recipient needs it; ' +
        'unwanted: the platform names no address for events.',
    },
    attempts: { type: 'integer', description: 'Number of attempts so far.' },
    at: moment('When it happened.'),
    next_attempt_at: moment('When the next attempt is due, while it waits.'),
    ended_at: moment('When it was sent or given up.'),
    problem: { type: 'string', description: 'Why the last attempt failed.' },
  },
}

interface Progress {
  attempts: number
  status: string
  next_at: Date
  ended_at: Date | null
}

const progressOf = ({ attempts, status, next_at, ended_at }: Progress, zone: string) => ({
  attempts,
  ...(status === 'waiting' && { next_attempt_at: rfc3339Exact(zone, next_at) }),
  ...(ended_at && { ended_at: rfc3339Exact(zone, ended_at) }),
})

/** Returns a function that describes a mail about a booking to the staff, with the subject line of the mail. */
export async function mailDescriber(context: Context, zone: string) {
  const definition = await context.business.get()
  const letterOf = bookingNotificationWriter(context)
  return (mail: MailRow) => {
    const hasWords = definition && mail.snapshot !== null
    const letter = hasWords ? letterOf(mail, localizerFor(mail.locale) ?? englishLocalizer(), definition) : undefined
    return toMailNotification(mail, letter, zone)
  }
}

export const toMailNotification = (mail: MailRow, letter: NotificationText | undefined, zone: string) => ({
  id: mail.id,
  way: mail.channel,
  what: mail.kind,
  audience: mail.audience,
  status: mail.status,
  at: rfc3339Exact(zone, mail.created_at),
  ...progressOf(mail, zone),
  ...(letter && { subject: letter.subject }),
  ...(addressOf(mail) !== '' && { to: addressOf(mail) }),
  ...(mail.problem !== null && { problem: mail.problem }),
})

export const toEventNotification = (delivery: DeliveryRow, zone: string) => ({
  id: delivery.id,
  way: 'event' as const,
  what: delivery.event,
  audience: 'platform' as const,
  status: delivery.status === 'delivered' ? ('sent' as const) : delivery.status,
  to: delivery.receiver,
  at: rfc3339Exact(zone, delivery.at),
  ...progressOf(delivery, zone),
})

/** Whether a mail is about this booking, alone or together with other bookings of its series. */
export function isAbout({ subject, snapshot }: Pick<MailRow, 'subject' | 'snapshot'>, booking: string): boolean {
  const { others } = asRecord(snapshot)
  return (
    subject === booking || (Array.isArray(others) && others.some((one) => `booking ${asRecord(one).id}` === booking))
  )
}
