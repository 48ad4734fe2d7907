import { type Span, subtracted } from '../../domain/availability/time-spans.ts'
import { clockText } from '../../infra/i18n/format-times.ts'
import type { Localizer } from '../../infra/i18n/localizer.ts'
import { HOUR, MINUTE } from '../../infra/time/time-units.ts'
import { wholeDays } from '../../infra/time/time-zone.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import { mapWithYields } from '../../infra/util/yield-to-event-loop.ts'
import type { Density } from './calendar-density.ts'
import type { DayEntry } from './day-entries.ts'
import { ROW_MINUTES } from './desk-style.ts'
import { toLocalInput } from './local-time-input.ts'

export interface Column {
  date: string
  /**
   * The name of the person or room, or the day. A phone shows these names above the column, as links to the other
   * columns.
   */
  name: string
  heading: Content
  /**
   * The working times of the person or room in this column. The column marks all other times as closed. If undefined,
   * the column marks no time as closed.
   */
  workingTimes: readonly Span[] | undefined
  entries: readonly DayEntry[]
  /**
   * The free times of the person or room in this column, while staff move a booking. `body` is a button that moves the
   * booking to the free time.
   */
  freeTimes?: readonly { from: number; to: number; body: Content }[]
  /** The `data-` attributes of the column's HTML element. The browser scripts read these attributes. */
  data?: Record<string, string | false>
  /** Whether columns to the left already show all bookings of this column. If so, a phone leaves this column out. */
  isShownElsewhere?: boolean
}

/** What the grid and the lists of the calendar need in addition to their entries. `label` is their accessible name. */
export interface CalendarContext {
  label: string
  zone: string
  now: number
  localizer: Localizer
  density: Density
}

export const classOfColumns = (density: Density, kind: 'grid' | 'lists' = 'grid'): Content =>
  html`columns${kind === 'lists' && ' lists'}${density === 'compact' && ' compact'}`

/** The maximum number of rows of a card with space for only one line of text. */
const LOW_ROWS = { roomy: 5, compact: 7 }

/**
 * Shows the columns of the day view side by side on one time scale. A phone shows one column at a time, and a press on
 * a name or a swipe leads to another column.
 */
export async function grid(
  columns: readonly Column[],
  { label, zone, now, localizer, density }: CalendarContext,
  about: Content = undefined,
): Promise<Content> {
  // Each column of the week view shows another day, so each column counts its hours from midnight of its own day.
  const midnights = new Map(columns.map(({ date }) => [date, wholeDays(zone, date)]))
  const span = (date: string): Span => midnights.get(date) ?? [0, 0]
  const [first, last] = hoursOf(columns, span)
  const rows = ((last - first) * 60) / ROW_MINUTES
  const place = (date: string, from: number, to: number) => {
    const row = (instant: number) =>
      Math.min(Math.max(Math.round((instant - span(date)[0] - first * HOUR) / (ROW_MINUTES * MINUTE)), 0), rows)
    return `at${row(from)} for${row(to) - row(from)}`
  }
  const isLow = (from: number, to: number) => to - from < (LOW_ROWS[density] + 1) * ROW_MINUTES * MINUTE
  const size = html`h${last - first}`
  const away = ({ date, workingTimes }: Column) =>
    workingTimes &&
    subtracted([[span(date)[0] + first * HOUR, span(date)[0] + last * HOUR]], workingTimes).map(
      ([from, to]) => html`<li class="closed ${place(date, from, to)}" aria-hidden="true"></li>`,
    )
  const isNow = (date: string) => now >= span(date)[0] + first * HOUR && now <= span(date)[0] + last * HOUR
  const day = columns[0]?.date ?? ''
  const hours = Array.from({ length: last - first }, (_, nth) => span(day)[0] + (first + nth) * HOUR)
  const columnId = ({ date, data = {} }: Column) => `column-${data.to || 'none'}-${date}`
  const sections = await mapWithYields(columns, (column) => {
    const { date, heading, entries, freeTimes = [], data = {}, isShownElsewhere } = column
    const alone = withoutOverlaps(entries)
    const dataAttributes: Record<string, string | false> = {
      ...data,
      first: toLocalInput(zone, span(date)[0] + first * HOUR).slice('YYYY-MM-DDT'.length),
      day: date,
    }
    return html`<section id="${columnId(column)}"${isShownElsewhere && html` class="again"`}><h2>${heading}</h2><ol class="${size}"${Object.entries(dataAttributes).map(([name, value]) => value !== false && html` data-${name}="${value}"`)}>${away(column)}
${entries.map((one) => {
  const { kind, hue, from, to, body, movable } = one
  return html`<li class="thing ${kind}${hue !== undefined && ` hue${hue}`}${alone.has(one) && ' alone'}${isLow(from, to) && ' low'} ${place(date, from, to)}"${movable && html` data-move="${movable.id}" data-service="${movable.service}"`}>${body}</li>
`
})}${freeTimes.map(
  ({ from, to, body }) => html`<li class="gap ${place(date, from, to)}">${body}</li>
`,
)}${isNow(date) && html`<li class="now ${place(date, now, now)}" aria-hidden="true"></li>`}</ol></section>
`
  })
  const onPhone = columns.filter((one) => !one.isShownElsewhere)
  return html`${onPhone.length > 1 && html`<nav class="people" aria-label="${label}">${onPhone.map((one) => html`<a href="#${columnId(one)}">${one.name}</a>`)}</nav>`}
<div class="${classOfColumns(density)}" tabindex="0" role="region" aria-label="${label}"${about}>
<section class="hours" aria-hidden="true"><h2>&nbsp;</h2><ol class="${size}">${hours.map((hour) => html`<li class="${place(day, hour, hour + HOUR)}">${clockText(localizer, new Date(hour), zone)}</li>`)}</ol></section>
${sections}</div>`
}

/**
 * Returns the entries of a column that overlap no other entry. They have the whole width of the column, and all others
 * stand side by side. The entries must be in the order of their starts.
 */
function withoutOverlaps(entries: readonly DayEntry[]): ReadonlySet<DayEntry> {
  let latestEnd = Number.NEGATIVE_INFINITY
  const isAlone = (one: DayEntry, nth: number) => {
    const [before, after] = [latestEnd, entries[nth + 1]?.from ?? Number.POSITIVE_INFINITY]
    latestEnd = Math.max(latestEnd, one.to)
    return before <= one.from && one.to <= after
  }
  return new Set(entries.filter(isAlone))
}

/**
 * Returns the first and the last hour of the day view, by default 9 and 17. If a booking or a working time is outside
 * these hours, the view is longer. A block or working time that starts or ends at midnight does not extend the view to
 * midnight.
 */
function hoursOf(columns: readonly Column[], span: (date: string) => Span): readonly [first: number, last: number] {
  let [first, last] = [9, 17]
  for (const { date, entries, workingTimes = [] } of columns) {
    const [midnight, nextMidnight] = span(date)
    const all = [...entries, ...workingTimes.map(([from, to]) => ({ kind: 'there', from, to }))]
    const isPartOfDay = (kind: string) => kind === 'block' || kind === 'busy' || kind === 'there'
    for (const { kind, from, to } of all) {
      if (!isPartOfDay(kind) || from > midnight) first = Math.min(first, Math.floor((from - midnight) / HOUR))
      if (!isPartOfDay(kind) || to < nextMidnight) last = Math.max(last, Math.ceil((to - midnight) / HOUR))
    }
  }
  return [Math.max(first, 0), Math.min(last, 24)]
}
