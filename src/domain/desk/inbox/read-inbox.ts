import { defineOperation, type ObjectSchema } from '../../../protocol/define-operation.ts'
import type { GetBusinessInbox } from '../../../protocol/types.generated.ts'
import { INBOX_MOST } from '../shared/desk-list-limits.ts'
import { atDesk } from '../shared/operation-defaults.ts'
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
        ...['mails_given_up', 'deliveries_given_up', 'charges_unreturned'],
      ],
      description: `Number of open matters for the staff; ${INBOX_MOST} of a kind means that many or more.`,
      properties: {
        total: count('The total.'),
        requests: count('Bookings to approve or decline (usp_business_bookings_list, pending).'),
        payments_claimed: count(
          'Payments that buyers report to have made (usp_business_bookings_list, payment_claimed).',
        ),
        stranded: count('Bookings that no longer fit the definition or another calendar (usp_business_stranded_list).'),
        offers_lapsing: count('Offers of the waitlist that end within an hour (usp_business_waitlist_list, offered).'),
        mails_given_up: count('Undelivered mails (usp_business_inbox_given_up).'),
        deliveries_given_up: count('Events that a platform did not accept (usp_business_inbox_given_up).'),
        charges_unreturned: count('Charges to return by hand (usp_business_inbox_unreturned_charges).'),
      },
    },
  },
} as const satisfies ObjectSchema

export const inboxSummary = ({ inbox: { total } }: GetBusinessInbox['output']): string =>
  total === 0 ? 'The inbox is empty.' : `${total} ${total === 1 ? 'matter is' : 'matters are'} open.`

export const readInbox = defineOperation<GetBusinessInbox>({
  ...atDesk,
  id: 'getBusinessInbox',
  rest: 'GET /business/inbox',
  tool: 'usp_business_inbox',
  title: 'Count the open matters in the inbox',
  description:
    'Counts the booking requests, reported payments, affected bookings, offers about to end, undelivered ' +
    'mails and events, and charges to return by hand. Another operation lists each kind.',
  effect: 'read',
  input: { type: 'object', properties: {} },
  output: inboxOutput,
  summary: inboxSummary,
  handle: async ({ db, now }) => ({ inbox: await inboxCount(db, now) }),
})
