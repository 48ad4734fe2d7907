import { defineOperation, type ObjectSchema } from '../../../protocol/operation.ts'
import type { GetBusinessInbox } from '../../../protocol/types.generated.ts'
import { INBOX_MOST } from '../shared/limits.ts'
import { atDesk } from '../shared/operation-parts.ts'
import { inboxCount } from './inbox-queries.ts'

const count = (description: string) => ({ type: 'integer', minimum: 0, description })

export const inboxOutput = {
  type: 'object',
  required: ['inbox'],
  properties: {
    inbox: {
      type: 'object',
      required: [
        ...['total', 'requests', 'payments_claimed', 'stranded', 'offers_lapsing'],
        ...['mails_given_up', 'deliveries_given_up'],
      ],
      description: `How much waits for somebody; ${INBOX_MOST} of a kind are that many or more.`,
      properties: {
        total: count('All of it.'),
        requests: count('Bookings to approve or decline (usp_business_bookings_list, pending).'),
        payments_claimed: count('Payments that buyers say to have made (usp_business_bookings_list, payment_claimed).'),
        stranded: count('Bookings that do not fit the definition any more (usp_business_stranded_list).'),
        offers_lapsing: count('Offers of the waitlist that end within an hour (usp_business_waitlist_list, offered).'),
        mails_given_up: count('Mails that nobody received (usp_business_inbox_given_up).'),
        deliveries_given_up: count('Events that a platform did not take (usp_business_inbox_given_up).'),
      },
    },
  },
} as const satisfies ObjectSchema

export const inboxSummary = ({ inbox: { total } }: GetBusinessInbox['output']): string =>
  total === 0 ? 'Nothing waits for anybody.' : `${total} ${total === 1 ? 'thing waits' : 'things wait'} for somebody.`

export const readInbox = defineOperation<GetBusinessInbox>({
  ...atDesk,
  id: 'getBusinessInbox',
  rest: 'GET /business/inbox',
  tool: 'usp_business_inbox',
  title: 'Count what waits for somebody',
  description:
    'How many requests, payments said to be made, stranded bookings, offers about to end, mails and events that nobody ' +
    'received there are; each has an operation of its own that lists them.',
  effect: 'read',
  input: { type: 'object', properties: {} },
  output: inboxOutput,
  summary: inboxSummary,
  handle: async ({ db, now }) => ({ inbox: await inboxCount(db, now) }),
})
