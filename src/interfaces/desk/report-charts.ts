import { type Content, html } from '../../infra/util/html-template.ts'

/** The width and height of a chart in SVG units. The browser stretches the chart to the available width. */
const [WIDTH, HEIGHT] = [1000, 160]

/**
 * Shows a chart of a report. Each value of the current period has a bar, and a line shows the values of the previous
 * period. A table on the page contains the numbers too.
 */
export function barChart(label: string, values: readonly number[], before: readonly number[]): Content {
  const most = Math.max(1, ...values, ...before)
  const each = WIDTH / Math.max(values.length, 1)
  const up = (value: number) => rounded((Math.max(value, 0) / most) * HEIGHT)
  const bars = values.map(
    (value, nth) =>
      html`<rect x="${rounded((nth + 0.1) * each)}" y="${rounded(HEIGHT - up(value))}" width="${rounded(each * 0.8)}" height="${up(value)}"/>`,
  )
  const line = values.map((_, nth) => `${rounded((nth + 0.5) * each)},${rounded(HEIGHT - up(before[nth] ?? 0))}`)
  return html`<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${label}">${bars}<polyline points="${line.join(' ')}"/></svg>`
}

/**
 * Shows a bar for a part of a whole. `part` is a number from 0 to 1. Screen readers skip the bar, because the page
 * shows the number beside the bar.
 */
export const shareBar = (part: number): Content =>
  html`<svg class="share" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect width="${rounded(part * 100)}" height="1"/></svg>`

const rounded = (value: number) => Math.round(value * 10) / 10
