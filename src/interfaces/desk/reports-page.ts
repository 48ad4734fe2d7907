import { readReports } from '../../domain/desk/reports/read-reports.ts'
import { REPORT_DAYS } from '../../domain/desk/shared/desk-list-limits.ts'
import { dateIn } from '../../infra/time/time-zone.ts'
import { html } from '../../infra/util/html-template.ts'
import {
  callAsStaff,
  type DeskDependencies,
  type DeskRequest,
  isAllowed,
  missingRolePage,
} from './call-operation-as-staff.ts'
import { daysIn, ignoreInvalidRange, otherRanges, rangeForm, readRange } from './date-range-form.ts'
import type { DeskView } from './desk-page.ts'
import {
  bookingsPart,
  leadTimesPart,
  overview,
  type Reports,
  sourcesPart,
  takingsPart,
  waitlistPart,
} from './report-sections.ts'
import { heatMap } from './utilization-heat-map.ts'

const PATH = '/desk/reports'
/** The maximum number of days in a report with one value for each day. A longer report has one value for each week. */
const MOST_BY_DAY = 62

/**
 * The page with the reports about a range of days, by default the last four weeks. The reports also show the previous
 * range of the same length.
 */
export async function reportsPage(
  query: URLSearchParams,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<DeskView> {
  const { who, request } = deskRequest
  const { localizer } = request
  if (!isAllowed(who, readReports)) return missingRolePage(readReports, deskRequest)
  const reports = await findReports(query, deskRequest, dependencies)
  const range = { from: query.get('from') ?? '', to: query.get('to') ?? '' }
  const view = { title: localizer.say('desk.reports'), who, place: 'reports', layout: 'wide' } as const
  if (!reports)
    return {
      ...view,
      status: 409,
      body: html`<p class="note wrong" role="alert">${localizer.say('desk.money.days', { most: REPORT_DAYS.most })}</p>${rangeForm(PATH, range, localizer)}`,
    }
  const { start_date: from, end_date: to } = reports.period
  const today = dateIn(reports.timezone, dependencies.clock().getTime())
  const services = (await dependencies.business.get())?.services ?? []
  const parts = [
    ...[bookingsPart, takingsPart, heatMap, leadTimesPart, sourcesPart].map((part) => part(reports, localizer)),
    services.some(({ capacity }) => capacity?.waitlist) && waitlistPart(reports, localizer),
  ]
  return {
    ...view,
    status: 200,
    body: html`${otherRanges(PATH, { from, to, today }, localizer)}${rangeForm(PATH, { from, to }, localizer)}
${parts.some(Boolean) ? html`${overview(reports, localizer)}${parts}` : html`<p class="note">${localizer.say('desk.reports.none')}</p>`}
<p><a href="/desk/reports.csv?from=${from}&amp;to=${to}" download>${localizer.say('desk.money.csv')}</a></p>`,
  }
}

/**
 * Reads the range of days from the query string, and returns the reports about these days. Returns undefined if the
 * range is invalid.
 */
export async function findReports(
  query: URLSearchParams,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<Reports | undefined> {
  const range = readRange(query)
  const { start_date: start, end_date: end } = range
  if ((query.get('from') && !start) || (query.get('to') && !end)) return undefined
  const isLong = start !== undefined && end !== undefined && daysIn(start, end) > MOST_BY_DAY
  const input = { ...range, ...(isLong && { by: 'week' as const }) }
  const answer = await callAsStaff(readReports, input, deskRequest, dependencies).catch(ignoreInvalidRange)
  return answer?.refusal ? undefined : answer?.result
}
