import { zoneOf } from '../../../core/business/definition-facts.ts'
import { dateIn, daysLater } from '../../../infra/time/time-zone.ts'
import { omitUndefined } from '../../../infra/util/object-members.ts'
import { type Context, defineOperation } from '../../../protocol/define-operation.ts'
import type { GetBusinessReports } from '../../../protocol/types.generated.ts'
import { REPORT_DAYS } from '../shared/desk-list-limits.ts'
import { atDesk, day } from '../shared/operation-defaults.ts'
import { daysBefore, type Period, periodOf } from '../shared/report-periods.ts'
import { bookingsOf, LEAD_DAYS, type LeadRow, leadTimesOf, moneyOf, sourcesOf, waitlistOf } from './report-queries.ts'
import { reportShape } from './report-schema.ts'
import { utilizationOf } from './resource-utilization.ts'

type Report = GetBusinessReports['output']['period']

export const readReports = defineOperation<GetBusinessReports>({
  ...atDesk,
  id: 'getBusinessReports',
  rest: 'GET /business/reports',
  tool: 'usp_business_reports',
  title: 'Report on a number of days',
  description:
    'Returns bookings, takings, no-shows, how far ahead people book, the sources of bookings, how much of the ' +
    'working time was booked, and the results of the waitlist. It includes the same figures for as many days ' +
    'before.',
  role: 'manager',
  effect: 'read',
  input: {
    type: 'object',
    properties: {
      start_date: day(`First day, YYYY-MM-DD; when left out, ${REPORT_DAYS.usual} days before the last.`),
      end_date: day(`Last day, inclusive, at most ${REPORT_DAYS.most} days in all; today when left out.`),
      by: {
        enum: ['day', 'week'],
        default: 'day',
        description: 'Whether bookings and takings are summed up by day, or by week from Monday on.',
      },
    },
  },
  output: {
    type: 'object',
    required: ['timezone', 'by', 'period', 'before'],
    properties: {
      timezone: { type: 'string', description: 'Time zone of the days, IANA.' },
      by: { enum: ['day', 'week'], description: 'The period for which bookings and takings are summed up.' },
      period: { ...reportShape, description: 'The figures of the requested days.' },
      before: { ...reportShape, description: 'The figures of as many days before.' },
    },
  },
  summary: ({ period: { start_date, end_date, bookings } }) =>
    `${start_date} to ${end_date}: ${bookings.reduce((all, one) => all + one.bookings, 0)} bookings.`,
  async handle(context) {
    const { input, now } = context
    const timezone = await zoneOf(context)
    const { end_date = dateIn(timezone, now.getTime()), by = 'day' } = input
    const { start_date = daysLater(end_date, 1 - REPORT_DAYS.usual) } = input
    const period = periodOf(timezone, { start_date, end_date, by }, REPORT_DAYS.most)
    const before = periodOf(timezone, { ...daysBefore(period), by }, REPORT_DAYS.most)
    return { timezone, by, period: await reportOn(context, period), before: await reportOn(context, before) }
  },
})

async function reportOn(
  { db, now, business }: Pick<Context, 'db' | 'now' | 'business'>,
  { start_date, end_date, dates, bounds }: Period,
): Promise<Report> {
  const definition = await business.get()
  const range = [Number(bounds[0]), Number(bounds.at(-1))] as const
  const [bookings, money, leads, sources, waitlist, utilization] = await Promise.all([
    bookingsOf(db, bounds, now),
    moneyOf(db, bounds),
    leadTimesOf(db, bounds, now),
    sourcesOf(db, bounds, now),
    waitlistOf(db, bounds, now),
    definition ? utilizationOf(db, definition, range, now) : [],
  ])
  const ofStep = new Map(bookings.map(({ step, ...counts }) => [step, counts]))
  const median = leads.find(({ span }) => span === null)?.median
  return {
    start_date,
    end_date,
    waitlist,
    utilization,
    bookings: dates.map((date, nth) => ({ date, ...(ofStep.get(nth + 1) ?? NONE) })),
    takings: money.map(({ step, ...sums }) => ({ date: dates[step - 1] ?? '', ...sums })),
    lead_times: leadTimes(leads),
    ...(typeof median === 'number' && { median_lead_hours: Math.round(median / 360) / 10 }),
    sources: sources.map(({ profile, ...one }) => ({ ...one, ...omitUndefined({ profile: profile ?? undefined }) })),
  }
}

const NONE = { bookings: 0, begun: 0, no_shows: 0, canceled: 0 }

const leadTimes = (leads: readonly LeadRow[]) =>
  LEAD_DAYS.map((from_days, nth) => ({
    from_days,
    ...omitUndefined({ below_days: LEAD_DAYS[nth + 1] }),
    bookings: leads.find(({ span }) => span === nth + 1)?.bookings ?? 0,
  }))
