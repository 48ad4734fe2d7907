import { zoneOf } from '../../../core/business/definition-facts.ts'
import { dateIn } from '../../../infra/time/time-zone.ts'
import { omitUndefined } from '../../../infra/util/object-members.ts'
import { defineOperation } from '../../../protocol/define-operation.ts'
import { ProtocolError } from '../../../protocol/errors.ts'
import type { GetTakings } from '../../../protocol/types.generated.ts'
import { TAKINGS } from '../shared/desk-list-limits.ts'
import { atDesk, day } from '../shared/operation-defaults.ts'
import { periodOf } from '../shared/report-periods.ts'
import { TAKINGS_KINDS, type TakingsRow, takingsBetween } from './takings-queries.ts'

const sum = (description: string) => ({ type: 'integer', description: `${description} In minor units.` })

export const readTakings = defineOperation<GetTakings>({
  ...atDesk,
  id: 'getTakings',
  rest: 'GET /business/takings',
  tool: 'usp_business_takings',
  title: 'Sum up the takings',
  description:
    'Sums up the payments of each day, by means of payment and by who received them, with tips and refunds ' +
    'apart. A refund counts on the day on which it was decided.',
  role: 'manager',
  effect: 'read',
  input: {
    type: 'object',
    properties: {
      start_date: day('First day, YYYY-MM-DD; today when left out.'),
      end_date: day(`Last day, inclusive, at most ${TAKINGS.days} days after the first; the first day when left out.`),
    },
  },
  output: {
    type: 'object',
    required: ['start_date', 'end_date', 'timezone', 'takings'],
    properties: {
      start_date: day('The first day.'),
      end_date: day('The last day.'),
      timezone: { type: 'string', description: 'Time zone of the days, IANA.' },
      takings: {
        type: 'array',
        description: 'The sums, earliest day first.',
        items: {
          type: 'object',
          required: ['date', 'kind', 'currency', 'payments', 'amount', 'tips', 'refunded'],
          properties: {
            date: day('The day.'),
            kind: {
              enum: TAKINGS_KINDS,
              description:
                'How it was paid: at the counter, online on a page of the business, or through a platform; ' +
                'unsaid if the staff did not say.',
            },
            taken_by: { type: 'string', description: 'The staff member who received it: staff:….' },
            name: { type: 'string', description: 'Name of the staff member, while they work here.' },
            currency: { type: 'string', description: 'ISO 4217.' },
            payments: {
              type: 'integer',
              description: 'Number of payments, less those taken back by a correction.',
            },
            amount: sum('Payments without tips.'),
            tips: sum('Tips.'),
            refunded: sum('Refunds of these payments.'),
          },
        },
      },
    },
  },
  summary: ({ start_date, end_date, takings }) =>
    `${start_date} to ${end_date}: ${takings.reduce((all, { payments }) => all + payments, 0)} payments.`,
  async handle(context) {
    const { input, db, now } = context
    const zone = await zoneOf(context)
    const { start_date = dateIn(zone, now.getTime()), end_date = start_date } = input
    const { dates, bounds } = periodOf(zone, { start_date, end_date }, TAKINGS.days)
    const rows = await takingsBetween(db, bounds, TAKINGS.sums + 1)
    if (rows.length > TAKINGS.sums)
      throw new ProtocolError('range_too_wide', `This makes more than ${TAKINGS.sums} sums. Ask for fewer days.`)
    return { start_date, end_date, timezone: zone, takings: rows.map((row) => toTaking(row, dates)) }
  },
})

const toTaking = ({ day, taken_by, name, ...sums }: TakingsRow, dates: readonly string[]) => ({
  date: dates[day - 1] ?? '',
  ...sums,
  ...omitUndefined({ taken_by: taken_by ?? undefined, name: name ?? undefined }),
})
