import { escaped } from './markup.ts'
import type { Results } from './results.ts'

const LABEL = 'USP 2026-08-20'
/** The width of one character in pixels, for about 11 px Verdana. */
const CHARACTER = 7
const PADDING = 10

/**
 * Returns an SVG badge with the earned levels. If `link` has a value, the badge links to this address of the result
 * file.
 */
export function badgeOf({ levels }: Results, link: string | undefined): string {
  const earned = levels.filter(({ result }) => result === 'earned').map(({ level }) => level)
  const text = earned.length > 0 ? earned.join(', ') : 'no level earned'
  const [left, right] = [LABEL, text].map((part) => part.length * CHARACTER + 2 * PADDING) as [number, number]
  const color = earned.length > 0 ? '#2b6e3f' : '#8c2f2f'
  const picture = [
    `<rect width="${left}" height="20" fill="#444"/>`,
    `<rect x="${left}" width="${right}" height="20" fill="${color}"/>`,
    `<g fill="#fff" font-family="Verdana,sans-serif" font-size="11">`,
    `<text x="${PADDING}" y="14" textLength="${left - 2 * PADDING}">${LABEL}</text>`,
    `<text x="${left + PADDING}" y="14" textLength="${right - 2 * PADDING}">${escaped(text)}</text>`,
    '</g>',
  ].join('')
  const linked = link === undefined ? picture : `<a href="${escaped(link)}">${picture}</a>`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${LABEL}: ${escaped(text)}">${linked}</svg>\n`
}
