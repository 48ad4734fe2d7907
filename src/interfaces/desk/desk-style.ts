import { accentOf, DEFAULT_ACCENT } from '../../infra/util/accent-color.ts'
import { readCss } from '../pages/style.ts'

export const ROW_MINUTES = 5
const ROWS = (24 * 60) / ROW_MINUTES

/**
 * CSS classes for the start and the height of an entry in the day view. The page uses classes, because its content
 * security policy forbids style attributes.
 */
const positions = Array.from(
  { length: ROWS + 1 },
  (_, row) => `.at${row}{grid-row-start:${row + 1}}.for${row}{grid-row-end:span ${Math.max(row, 1)}}`,
).join('')

/** CSS classes for the height of the day view, one for each number of hours. */
const heights = Array.from(
  { length: 25 },
  (_, hours) => `ol.h${hours}{grid-template-rows:repeat(${(hours * 60) / ROW_MINUTES},var(--row))}`,
).join('')

const files = ['desk', 'calendar', 'forms', 'reports', 'print']
const rules = readCss(...files.map((name) => new URL(`browser/${name}.css`, import.meta.url)))

export function deskStyle(accent = DEFAULT_ACCENT): string {
  const { light, dark } = accentOf(accent)
  return `${rules}
:root{--accent:${light.accent};--on-accent:${light.on}}
@media (prefers-color-scheme:dark){:root{--accent:${dark.accent};--on-accent:${dark.on}}}
${positions}
${heights}`
}
