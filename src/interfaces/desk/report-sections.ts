import type { Localizer } from '../../infra/i18n/localizer.ts'
import { HOUR } from '../../infra/time/time-units.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import type { GetBusinessReports } from '../../protocol/types.generated.ts'
import { barChart, shareBar } from './report-charts.ts'

export type Reports = GetBusinessReports['output']
type Report = Reports['period']

const sumOf = <T>(rows: readonly T[], value: (row: T) => number) => rows.reduce((all, row) => all + value(row), 0)
const currenciesOf = ({ period, before }: Reports) => [
  ...new Set([...period.takings, ...before.takings].map(({ currency }) => currency)),
]

/**
 * Formats a calendar day in a report. JavaScript parses a date without a time as midnight in UTC, so the formatter also
 * uses UTC.
 */
const dayIn = (localizer: Localizer, date: string) =>
  localizer.dates('UTC', { weekday: 'short', month: 'short', day: 'numeric' }).format(new Date(date))

const partOf = (part: number, whole: number, { percent }: Localizer) =>
  whole === 0 ? '–' : percent(Math.round((part / whole) * 100))

/** The table that compares the key figures of this period with those of the previous period. */
export function overview(reports: Reports, localizer: Localizer): Content {
  const { say, number, money } = localizer
  const row = (name: string, figureOf: (report: Report) => string) =>
    html`<tr><th scope="row">${name}</th><td>${figureOf(reports.period)}</td><td>${figureOf(reports.before)}</td></tr>
`
  const bookings = (report: Report) => sumOf(report.bookings, (one) => one.bookings)
  const takingsIn = (currency: string) => (report: Report) =>
    money(
      sumOf(report.takings, (one) => (one.currency === currency ? one.amount - one.refunded : 0)),
      currency,
    )
  const begun = (report: Report) => sumOf(report.bookings, (one) => one.begun)
  const lead = ({ median_lead_hours: hours }: Report) =>
    hours === undefined ? '–' : localizer.length((hours >= 48 ? Math.round(hours / 24) * 24 : hours) * HOUR)
  return html`<table class="numbers"><thead><tr><td></td><th scope="col">${say('desk.reports.now')}</th><th scope="col">${say('desk.reports.before')}</th></tr></thead><tbody>
${row(say('desk.bookings'), (report) => number(bookings(report)))}
${currenciesOf(reports).map((currency) => row(say('desk.money'), takingsIn(currency)))}
${row(say('desk.reports.missed'), (report) => partOf(missed(report), begun(report), localizer))}
${row(say('desk.reports.canceled'), (report) => partOf(canceled(report), canceled(report) + bookings(report), localizer))}
${row(say('desk.reports.ahead'), lead)}
</tbody></table>`
}

const missed = (report: Report) => sumOf(report.bookings, (one) => one.no_shows)
const canceled = (report: Report) => sumOf(report.bookings, (one) => one.canceled)

interface Table {
  title: string
  heads: readonly string[]
  rows: readonly (readonly string[])[]
}

const chartWithTable = (
  chart: Content,
  { title, heads, rows }: Table,
  { say }: Localizer,
) => html`<section><h2>${title}</h2>
${chart}
<details><summary>${say('desk.reports.table')}</summary><table class="numbers"><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>
${rows.map(
  ([name, ...cells]) => html`<tr><th scope="row">${name}</th>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>
`,
)}</tbody></table></details></section>`

const ends = ({ bookings }: Report, most: string, localizer: Localizer) =>
  html`<p class="soft ends"><span>${dayIn(localizer, bookings[0]?.date ?? '')}</span><span>${localizer.say('desk.reports.most', { most })} · ┄ ${localizer.say('desk.reports.before')}</span><span>${dayIn(localizer, bookings.at(-1)?.date ?? '')}</span></p>`

/** Whether one of the values is not zero. A section of the report without such a value does not appear. */
const hasValue = (values: readonly number[]) => values.some((value) => value !== 0)

export function bookingsPart({ period, before, by }: Reports, localizer: Localizer): Content {
  const { say, number } = localizer
  const all = [...period.bookings, ...before.bookings]
  if (!hasValue(all.flatMap((one) => [one.bookings, one.no_shows, one.canceled]))) return undefined
  const values = period.bookings.map(({ bookings }) => bookings)
  const title = say('desk.bookings')
  const chart = barChart(
    title,
    values,
    before.bookings.map(({ bookings }) => bookings),
  )
  return chartWithTable(
    html`${chart}${ends(period, number(Math.max(...values)), localizer)}`,
    {
      title,
      heads: [say(stepName(by)), title, say('desk.reports.missed'), say('desk.reports.canceled')],
      rows: period.bookings.map((one) => [
        dayIn(localizer, one.date),
        ...[one.bookings, one.no_shows, one.canceled].map(number),
      ]),
    },
    localizer,
  )
}

export const stepName = (by: Reports['by']) => (by === 'week' ? 'desk.reports.week' : 'desk.day')

/**
 * Shows the report section about takings, with one chart for each currency. Takings are the money received minus
 * refunds.
 */
export function takingsPart(reports: Reports, localizer: Localizer): Content {
  const charts = currenciesOf(reports).map((currency) => {
    const { say, money } = localizer
    const netOf = ({ bookings, takings }: Report) => {
      const sums = new Map(takings.filter((one) => one.currency === currency).map((one) => [one.date, one]))
      return bookings.map(({ date }) => ({ amount: 0, refunded: 0, ...sums.get(date), date }))
    }
    const [now, before] = [netOf(reports.period), netOf(reports.before)]
    const values = now.map(({ amount, refunded }) => amount - refunded)
    const title = say('desk.money')
    const chart = barChart(
      title,
      values,
      before.map(({ amount, refunded }) => amount - refunded),
    )
    return chartWithTable(
      html`${chart}${ends(reports.period, money(Math.max(...values), currency), localizer)}`,
      {
        title,
        heads: [say(stepName(reports.by)), title, say('desk.back')],
        rows: now.map(({ date, amount, refunded }) => [
          dayIn(localizer, date),
          money(amount, currency),
          money(refunded, currency),
        ]),
      },
      localizer,
    )
  })
  return charts.length > 0 && charts
}

const parts = (
  title: string,
  rows: readonly (readonly [name: string, now: number, before: number])[],
  localizer: Localizer,
): Content => {
  const { say, number } = localizer
  if (!hasValue(rows.flatMap(([, now, before]) => [now, before]))) return undefined
  const all = sumOf(rows, ([, now]) => now)
  return html`<section><h2>${title}</h2><table class="numbers"><thead><tr><td></td><th scope="col">${say('desk.reports.now')}</th><th scope="col">${say('desk.reports.before')}</th></tr></thead><tbody>
${rows.map(
  ([name, now, before]) =>
    html`<tr><th scope="row">${name}${shareBar(all === 0 ? 0 : now / all)}</th><td>${number(now)}</td><td>${number(before)}</td></tr>
`,
)}</tbody></table></section>`
}

export const leadTimesPart = ({ period, before }: Reports, localizer: Localizer): Content =>
  parts(
    localizer.say('desk.reports.lead'),
    period.lead_times.map((one, nth) => [
      leadName(one, localizer),
      one.bookings,
      before.lead_times[nth]?.bookings ?? 0,
    ]),
    localizer,
  )

export function leadName(
  { from_days: from, below_days: to }: Report['lead_times'][number],
  { say }: Localizer,
): string {
  if (to === undefined) return say('desk.reports.days.more', { from })
  return from === 0 ? say('desk.reports.days.none') : say('desk.reports.days', { from, to })
}

export function sourcesPart({ period, before }: Reports, localizer: Localizer): Content {
  const keyOf = ({ came_from, profile = '' }: Report['sources'][number]) => `${came_from} ${profile}`
  const [now, then] = [period, before].map(({ sources }) => new Map(sources.map((one) => [keyOf(one), one])))
  const all = [...new Map([...(now ?? []), ...(then ?? [])]).values()]
  return parts(
    localizer.say('desk.reports.sources'),
    all.map((one) => [
      sourceName(one, localizer),
      now?.get(keyOf(one))?.bookings ?? 0,
      then?.get(keyOf(one))?.bookings ?? 0,
    ]),
    localizer,
  )
}

/**
 * Returns the name of a booking source, such as the booking pages or a platform. For a platform, the name is the host
 * in the URL of the platform's profile.
 */
export function sourceName({ came_from, profile }: Report['sources'][number], { say }: Localizer): string {
  return (profile && URL.parse(profile)?.host) || say(`desk.reports.${came_from}`)
}

export function waitlistPart({ period, before }: Reports, localizer: Localizer): Content {
  const { say, number } = localizer
  if (!hasValue([...Object.values(period.waitlist), ...Object.values(before.waitlist)])) return undefined
  const row = (name: string, figureOf: (line: Report['waitlist']) => number) =>
    html`<tr><th scope="row">${name}</th><td>${number(figureOf(period.waitlist))}</td><td>${number(figureOf(before.waitlist))}</td></tr>
`
  return html`<section><h2>${say('desk.waitlist')}</h2><table class="numbers"><thead><tr><td></td><th scope="col">${say('desk.reports.now')}</th><th scope="col">${say('desk.reports.before')}</th></tr></thead><tbody>
${row(say('desk.reports.joined'), ({ joined }) => joined)}${row(say('desk.reports.offered'), ({ offered }) => offered)}${row(say('desk.reports.booked'), ({ booked }) => booked)}${row(say('desk.reports.waiting'), ({ waiting }) => waiting)}
<tr><th scope="row">${say('desk.reports.rate')}</th><td>${partOf(period.waitlist.booked, period.waitlist.joined, localizer)}</td><td>${partOf(before.waitlist.booked, before.waitlist.joined, localizer)}</td></tr>
</tbody></table></section>`
}
