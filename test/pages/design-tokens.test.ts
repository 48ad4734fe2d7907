import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { deskStyle } from '../../src/interfaces/desk/desk-style.ts'

const FILES = globSync('src/interfaces/{pages,desk}/browser/*.css')
const fileText = (path: string) => readFileSync(path, 'utf8').replace(/\/\*.*?\*\//gs, '')
const css = FILES.map(fileText).join('\n')

/** The tables of docs/design.md: each row has the cells by the names of the columns. */
const rows = [...readFileSync('docs/design.md', 'utf8').matchAll(/^\| property \|.*(?:\n\|.*)+/gm)].flatMap(
  ([table]) => {
    const cellsOf = (line: string) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim())
    const [head = '', , ...lines] = table.split('\n')
    return lines.map((line) => Object.fromEntries(cellsOf(line).map((cell, nth) => [cellsOf(head)[nth], cell])))
  },
)
const nameOf = ({ property = '' }: Record<string, string>) => property.replaceAll('`', '')

/** The custom properties of the `nth` block of the root element in a file. */
function rootOf(path: string, nth = 0): Map<string, string> {
  const blocks = [...fileText(path).matchAll(/:root \{(.*?)\}/gs)].map(([, inside = '']) => inside)
  return new Map(
    [...(blocks[nth] ?? '').matchAll(/(--[\w-]+): ([^;]+);/g)].map(([, name = '', value = '']) => [name, value]),
  )
}
const base = 'src/interfaces/pages/browser/base.css'
const [light, dark] = [rootOf(base), rootOf(base, 1)]
const desk = new Map([
  ...light,
  ...rootOf('src/interfaces/desk/browser/desk.css'),
  ...rootOf('src/interfaces/desk/browser/calendar.css'),
])

test('[design tokens] docs/design.md lists each custom property of the CSS once, and no others', () => {
  expect(FILES.length).toBeGreaterThan(6)
  const inCss = [...css.matchAll(/--[a-z][\w-]*/g)].map(([name]) => name)
  expect(rows.map(nameOf).toSorted()).toEqual([...new Set(inCss)].toSorted())
})

test('[design tokens] the CSS defines each custom property that it uses', () => {
  const defined = new Set([...deskStyle().matchAll(/[{;](--[\w-]+):/g)].map(([, name]) => name))
  const used = [...css.matchAll(/var\((--[\w-]+)\)/g)].map(([, name]) => name)
  expect(used.filter((name) => !defined.has(name))).toEqual([])
})

test('[design tokens] the colours in docs/design.md are those of the CSS, light and dark', () => {
  const colours = rows.filter(({ light: colour = '' }) => colour.startsWith('`#'))
  const documented = colours.map((row) => [nameOf(row), row.light, row.dark])
  const inCss = [...light].filter(([, value]) => value.startsWith('#'))
  expect(documented).toEqual(inCss.map(([name, value]) => [name, `\`${value}\``, `\`${dark.get(name)}\``]))
})

test('[design tokens] the sizes in docs/design.md are those of the CSS', () => {
  const pixels = (value = '') =>
    value.endsWith('rem') ? `${Number.parseFloat(value) * 16} px` : value.replace('px', ' px')
  const sizes = rows.filter((row) => row.buyers !== undefined)
  expect(sizes.length).toBeGreaterThan(8)
  for (const row of sizes) {
    const name = nameOf(row)
    const isOnDeskOnly = row.buyers === ''
    expect([name, row.desk]).toEqual([name, pixels(desk.get(name))])
    expect([name, row.buyers]).toEqual([name, isOnDeskOnly ? '' : pixels(light.get(name))])
  }
})
