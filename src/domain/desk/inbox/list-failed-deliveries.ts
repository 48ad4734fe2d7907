import { zoneOf } from '../../../core/business/definition-facts.ts'
import { deliveriesGivenUp } from '../../../core/events/deliveries/delivery-queries.ts'
import { compose, type NotificationWriters } from '../../../core/mails/notification-text.ts'
import { mailsGivenUp } from '../../../core/mails/queries.ts'
import { defineOperation } from '../../../protocol/define-operation.ts'
import type { ListGivenUp } from '../../../protocol/types.generated.ts'
import { notificationSchema, toEventNotification, toMailNotification } from '../bookings/notification-schema.ts'
import { GIVEN_UP_MOST } from '../shared/desk-list-limits.ts'
import { atDesk } from '../shared/operation-defaults.ts'

export const listGivenUp = defineOperation<ListGivenUp & { needs: { letters: NotificationWriters } }>({
  ...atDesk,
  id: 'listGivenUp',
  rest: 'GET /business/inbox/given_up',
  tool: 'usp_business_inbox_given_up',
  title: 'List undelivered messages',
  description:
    'Lists mails and events that were given up after all attempts, newest first. A message stays until it is sent ' +
    `again (usp_business_inbox_send_again) or dismissed (usp_business_inbox_dismiss). Up to ${GIVEN_UP_MOST} of each.`,
  effect: 'read',
  input: { type: 'object', properties: {} },
  output: {
    type: 'object',
    required: ['given_up'],
    properties: {
      given_up: {
        type: 'array',
        items: {
          ...notificationSchema,
          required: ['about', ...(notificationSchema.required ?? [])],
          properties: {
            ...notificationSchema.properties,
            about: { type: 'string', description: 'The subject, such as `booking bkg_…`.' },
          },
        },
      },
    },
  },
  summary: ({ given_up }) => `${given_up.length} ${given_up.length === 1 ? 'message' : 'messages'}.`,
  async handle(context) {
    const { db, business, letters } = context
    const [zone, definition] = [await zoneOf(context), await business.get()]
    const [mails, deliveries] = await Promise.all([
      mailsGivenUp(db, GIVEN_UP_MOST),
      deliveriesGivenUp(db, GIVEN_UP_MOST),
    ])
    const all = [
      ...mails.map((mail) => ({
        ...toMailNotification(mail, definition && compose(mail, letters, definition)?.letter, zone),
        about: mail.subject,
      })),
      ...deliveries.map((delivery) => ({ ...toEventNotification(delivery, zone), about: delivery.subject })),
    ]
    return { given_up: all.toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at)) }
  },
})
