import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const pages = [...globSync('*.md'), ...globSync('{docs,deploy}/**/*.md'), ...globSync('.github/**/*.md')]

/** As GitHub names a heading. */
const anchor = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s-]/gu, '')
    .trim()
    .replace(/\s/g, '-')

const anchorsOf = (page: string) =>
  [...readFileSync(page, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchor(heading))

test('every link of the documentation leads somewhere', () => {
  const links = pages.flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/\]\((?!https?:)([^)#\s]*)(#[^)\s]*)?\)/g)].map(
      ([, path = '', place = '']) => ({ page, to: path === '' ? page : join(dirname(page), path), place }),
    ),
  )
  expect(links.length).toBeGreaterThan(25)
  const broken = links.filter(
    ({ to, place }) => !existsSync(to) || (place !== '' && !anchorsOf(to).includes(place.slice(1))),
  )
  expect(broken).toEqual([])
})
