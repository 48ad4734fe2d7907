import { readReports } from '../../domain/desk/reports/read-reports.ts'
import { formatAmount } from '../../infra/i18n/format-amounts.ts'
import { csv } from '../../infra/util/write-csv.ts'
import { type DeskDependencies, type DeskRequest, isAllowed } from './call-operation-as-staff.ts'
import { leadName, sourceName, stepName } from './report-sections.ts'
import { findReports } from './reports-page.ts'
import { percentOf } from './utilization-heat-map.ts'

type Cell = string | number

/**
 * Returns the reports as a CSV file with one number in each row. Returns undefined if the staff member's role does not
 * allow reports, or if the range of days is invalid.
 */
export async function reportsFile(query: URLSearchParams, deskRequest: DeskRequest, dependencies: DeskDependencies) {
  if (!isAllowed(deskRequest.who, readReports)) return undefined
  const reports = await findReports(query, deskRequest, dependencies)
  if (!reports) return undefined
  const { localizer } = deskRequest.request
  const { say } = localizer
  const { start_date, end_date, bookings, takings, lead_times, sources, waitlist, utilization } = reports.period
  const rows: Cell[][] = [
    ...bookings.flatMap((one) => [
      [say('desk.bookings'), one.date, one.bookings, ''],
      [say('desk.reports.missed'), one.date, one.no_shows, ''],
      [say('desk.reports.canceled'), one.date, one.canceled, ''],
    ]),
    ...takings.flatMap((one) => [
      [say('desk.money'), one.date, formatAmount(one.amount, one.currency, 'en'), one.currency],
      [say('desk.back'), one.date, formatAmount(one.refunded, one.currency, 'en'), one.currency],
    ]),
    ...lead_times.map((one) => [say('desk.reports.lead'), leadName(one, localizer), one.bookings, '']),
    ...sources.map((one) => [say('desk.reports.sources'), sourceName(one, localizer), one.bookings, '']),
    ...utilization.flatMap(({ name, hours }) =>
      hours.map((one) => [...[say('desk.reports.used'), `${name}, ${one.hour}:00`], ...[percentOf([one]) ?? '', '%']]),
    ),
    ...(['joined', 'offered', 'booked', 'waiting'] as const).map((what) => [
      ...[say('desk.waitlist'), say(`desk.reports.${what}`), waitlist[what]],
      '',
    ]),
  ]
  const head = [say('desk.reports'), say(stepName(reports.by)), say('desk.reports.number'), say('desk.money.currency')]
  return { name: `reports-${start_date}-${end_date}.csv`, content: csv([head, ...rows]) }
}
