import type { Localizer } from '../../infra/i18n/localizer.ts'
import { HOUR } from '../../infra/time/time-units.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import type { GetBusinessReports } from '../../protocol/types.generated.ts'

type Reports = GetBusinessReports['output']
type Used = Reports['period']['utilization'][number]
type Hour = Used['hours'][number]

/** The number of background colors in the utilization table. The color of a cell shows how busy the hour was. */
const SHADES = 5

/**
 * Returns the booked percentage of the working time. The result can exceed 100, because bookings outside the working
 * time also count.
 */
export const percentOf = (hours: readonly Hour[]): number | undefined => {
  const sum = (minutes: (hour: Hour) => number) => hours.reduce((all, one) => all + minutes(one), 0)
  const working = sum((one) => one.working_minutes)
  return working === 0 ? undefined : Math.round((sum((one) => one.booked_minutes) / working) * 100)
}

/**
 * The table that shows how busy the business was. Each person or room has a row, and each hour has a cell. Each row
 * also contains the totals of this period and of the previous period.
 */
export function heatMap({ period, before }: Reports, localizer: Localizer): Content {
  const { say, percent } = localizer
  const all = [...period.utilization, ...before.utilization].flatMap((one) => one.hours)
  if (all.every((hour) => hour.booked_minutes === 0)) return undefined
  const hours = [...new Set(period.utilization.flatMap((one) => one.hours.map(({ hour }) => hour)))].sort(
    (one, other) => one - other,
  )
  const then = new Map(before.utilization.map((one) => [one.resource_id, one.hours]))
  const clock = localizer.dates('UTC', { hour: 'numeric' })
  const text = (value: number | undefined) => (value === undefined ? '–' : percent(value))
  const cell = (hours: readonly Hour[]) => {
    const value = percentOf(hours)
    if (value === undefined) return html`<td></td>`
    return html`<td class="heat${Math.min(SHADES, Math.ceil((value / 100) * SHADES))}">${percent(value)}</td>`
  }
  const title = say('desk.reports.used')
  return html`<section><h2 id="used">${title}</h2><div class="heat" tabindex="0" role="region" aria-labelledby="used"><table>
<thead><tr><td></td><th scope="col">${say('desk.reports.now')}</th><th scope="col">${say('desk.reports.before')}</th>${hours.map((hour) => html`<th scope="col">${clock.format(hour * HOUR)}</th>`)}</tr></thead><tbody>
${period.utilization.map(
  (
    one,
  ) => html`<tr><th scope="row">${one.name}</th><td>${text(percentOf(one.hours))}</td><td>${text(percentOf(then.get(one.resource_id) ?? []))}</td>${hours.map((hour) => cell(one.hours.filter((at) => at.hour === hour)))}</tr>
`,
)}</tbody></table></div></section>`
}
