import { type Content, html } from '../../basics/html.ts'
import { readReports } from '../../desk/reports/read-reports.ts'
import { REPORT_DAYS } from '../../desk/shared/limits.ts'
import type { Speech } from '../../languages/speech.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { DAY } from '../../time/units.ts'
import { dateIn, daysLater } from '../../time/zone.ts'
import { forbidden } from '../pages/failures.ts'
import { type Asking, ask, type DeskMeans, may } from './desk-calls.ts'
import type { DeskView } from './desk-page.ts'
import { heatMap } from './heat-map.ts'
import { daySaid } from './local-time.ts'
import { ofBookings, ofLead, ofSources, ofTakings, ofWaitlist, overview, type Reports } from './report-parts.ts'

/** More days than these are drawn by the week. */
const MOST_BY_DAY = 62

/** What came of some days, the last four weeks if none are said, beside as many days before. */
export async function reportsPage(query: URLSearchParams, asking: Asking, means: DeskMeans): Promise<DeskView> {
  const { who, request } = asking
  const { speech } = request
  if (!may(who, readReports)) return forbidden(speech)
  const reports = await reportsSaid(query, asking, means)
  const view = { title: speech.say('desk.reports'), who, place: 'reports', wide: true } as const
  if (!reports)
    return {
      ...{ ...view, status: 409 },
      body: html`<p class="note wrong" role="alert">${speech.say('desk.money.days', { most: REPORT_DAYS.most })}</p>${days(query.get('from') ?? '', query.get('to') ?? '', speech)}`,
    }
  const { start_date: from, end_date: to } = reports.period
  const today = dateIn(reports.timezone, means.clock().getTime())
  const services = (await means.business.get())?.services ?? []
  return {
    ...{ ...view, status: 200 },
    body: html`${otherDays(from, to, today, speech)}${days(from, to, speech)}
${overview(reports, speech)}
${ofBookings(reports, speech)}
${ofTakings(reports, speech)}
${heatMap(reports, speech)}
${ofLead(reports, speech)}
${ofSources(reports, speech)}
${services.some(({ capacity }) => capacity?.waitlist) && ofWaitlist(reports, speech)}
<p><a href="/desk/reports.csv?from=${from}&amp;to=${to}" download>${speech.say('desk.money.csv')}</a></p>`,
  }
}

/** What is asked for; nothing where the days are none. */
export async function reportsSaid(
  query: URLSearchParams,
  asking: Asking,
  means: DeskMeans,
): Promise<Reports | undefined> {
  const [start, end] = [daySaid(query.get('from')), daySaid(query.get('to'))]
  if ((query.get('from') && !start) || (query.get('to') && !end)) return undefined
  const isLong = start !== undefined && end !== undefined && daysFrom(start, end) > MOST_BY_DAY
  const input = {
    ...(start !== undefined && { start_date: start }),
    ...(end !== undefined && { end_date: end }),
    ...(isLong && { by: 'week' as const }),
  }
  try {
    const answer = await ask(readReports, input, asking, means)
    return answer.refusal ? undefined : answer.result
  } catch (error) {
    if (error instanceof ProtocolError && ['range_too_wide', 'validation_error'].includes(error.code)) return undefined
    throw error
  }
}

const daysFrom = (from: string, to: string) => Math.round((Date.parse(to) - Date.parse(from)) / DAY) + 1

const days = (
  from: string,
  to: string,
  { say }: Speech,
): Content => html`<form method="get" action="/desk/reports" class="inline days">
<div><label for="from">${say('desk.away.from')}</label><input id="from" type="date" name="from" value="${from}"></div>
<div><label for="to">${say('desk.away.to')}</label><input id="to" type="date" name="to" value="${to}"></div>
<button class="plain">${say('desk.day.show')}</button></form>`

/** As many days before and after. */
function otherDays(from: string, to: string, today: string, { say }: Speech): Content {
  const many = daysFrom(from, to)
  const link = (by: number, label: string) =>
    html`<a class="button plain" href="/desk/reports?from=${daysLater(from, by)}&amp;to=${daysLater(to, by)}">${label}</a>`
  return html`<div class="week">${link(-many, say('desk.week.before'))}
${to < today && link(many, say('desk.week.after'))}</div>`
}
