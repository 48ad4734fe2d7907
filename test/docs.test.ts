import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { settingNames } from '../src/infra/config/read-config.ts'
import { pages as sitePages } from '../src/interfaces/docs/site/documentation-pages.ts'
import { render } from '../src/interfaces/docs/site/render-markdown.ts'

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

const ROOTS = /^(src|test|docs|schemas|deploy|examples|migrations|bench|scripts|packages|openapi|\.ci|\.github)\//
const LAYERS = /^(interfaces|domain|core|infra|pipeline|protocol|cli|server)\//

test('every path between backticks exists', () => {
  const paths = pages.flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/`([\w./-]+\/[\w.*-]*)`/g)].map(([, path = '']) => ({ page, path })),
  )
  // The changelog names files of earlier versions. NNNN and .env stand for files that a person makes.
  const isLasting = ({ page, path }: { page: string; path: string }) =>
    page !== 'CHANGELOG.md' && !/NNNN|\.env$/.test(path)
  const named = paths.filter(({ path }) => ROOTS.test(path) || LAYERS.test(path)).filter(isLasting)
  expect(named.length).toBeGreaterThan(100)
  const exists = (path: string) => globSync(path.replace(LAYERS, 'src/$&').replace(/\/$/, '')).length > 0
  expect(named.filter(({ path }) => !exists(path))).toEqual([])
})

/** What an operator types: in boxes, or in the text between backticks. */
const typed = (page: string) =>
  [...readFileSync(page, 'utf8').matchAll(/```\w*\n([\s\S]*?)```|`([^`\n]+)`/g)].map(
    ([, box, word]) => box ?? word ?? '',
  )
const operating = globSync('deploy/**/*.md')

test('each command of the server that an operator is told to type is one', () => {
  const commands = [
    ...readFileSync('src/main.ts', 'utf8').matchAll(/^ {2}'?([\w-]+)'?: \{$|^ {2}'?([\w-]+)'?: \{ does:/gm),
  ]
  const known = commands.map(([, long, short]) => long ?? short)
  const inPages = operating
    .flatMap(typed)
    .flatMap((text) => [...text.matchAll(/^ *(?:npm run )?usp (?:-- )?([a-z][\w-]*)/gm)])
  const alerts = readFileSync('deploy/observability/alerts.yml', 'utf8')
  const told = [...inPages, ...alerts.matchAll(/\busp ([a-z][\w-]*)/g)].map(([, name]) => name)
  expect(new Set(told).size).toBeGreaterThan(7)
  expect(told.filter((name) => !known.includes(name))).toEqual([])
})

test('each setting that an operator is told to set is one', () => {
  const told = operating.flatMap(typed).flatMap((text) => {
    const isSettings = /^\n?([A-Z_]+=.*\n)+$/.test(text)
    const pattern = isSettings ? /^([A-Z_]+)=/gm : /\b(USP_[A-Z_]+|DATABASE_[A-Z_]*URL)\b/g
    return [...text.matchAll(pattern)].map(([, name = '']) => name)
  })
  expect(told).toContain('TRUST_PROXY')
  expect(told).toContain('HOST')
  // Of a database, as deploy/ha/patroni.yml has it.
  expect(told.filter((name) => !settingNames.includes(name) && name !== 'USP_PASSWORD')).toEqual([])
})

/** Of a file for compose: what it starts. */
const servicesOf = (path: string): string[] => Object.keys(parse(readFileSync(path, 'utf8'), { merge: true }).services)

test('each service that an operator is told to start, stop or go into is one of its compose file', () => {
  const files = { 'docker compose': 'docker-compose.yml', compose: 'deploy/ha/compose.yaml' }
  const told = pages.flatMap(typed).flatMap((text) => {
    const commands = text.matchAll(/\b(docker compose|compose) (up|stop|start|restart|exec|run) ([^;&|#\n]*)/g)
    return [...commands].flatMap(([, by = '', what = '', rest = '']) => {
      const words = rest
        .replace(/-e \S+/g, '')
        .split(' ')
        .filter((word) => word !== '' && !word.startsWith('-'))
      const names = ['exec', 'run'].includes(what) ? words.slice(0, 1) : words
      return names.map((name) => ({ file: by === 'compose' ? files.compose : files['docker compose'], name }))
    })
  })
  const named = (file: string) => new Set(told.filter((one) => one.file === file).map(({ name }) => name))
  expect([...named(files['docker compose'])].sort()).toEqual(['database', 'server'])
  expect(named(files.compose).size).toBeGreaterThan(5)
  expect(told.filter(({ file, name }) => !servicesOf(file).includes(name))).toEqual([])
})

test('each set-up has all words that the drills go by', () => {
  const drills = readFileSync('deploy/drills.md', 'utf8')
  const words = [...drills.matchAll(/```sh\n(# [^`]*?\nusp\(\) [^`]*)```/g)].map(([, box = '']) => box)
  const setUps = words.map((box) => /^# ([^.\n]+)/.exec(box)?.[1])
  expect(setUps).toEqual(['npm start', 'systemd', 'Docker', 'Docker with ha/', 'Kubernetes'])
  // Of a database that npm start brings along there is nothing to look after.
  for (const [nth, box] of words.entries())
    expect([...box.matchAll(/^(usp|admin|ready)\(\) /gm)].map(([, word]) => word)).toEqual(
      expect.arrayContaining(nth === 0 ? ['usp', 'ready'] : ['usp', 'admin', 'ready']),
    )
  const rows = [...drills.matchAll(/^\| (`npm start`|systemd|Docker|Kubernetes)( with ha)? \|(?: [^|]+ \|){4}$/gm)]
  expect(rows).toHaveLength(6)
})

test('the table in docs/settings.md has each setting that the server reads', () => {
  const [, table = ''] = /^## Settings$(.*)/ms.exec(readFileSync('docs/settings.md', 'utf8')) ?? []
  const told = [...table.matchAll(/^\| (`.*?`) \|/gm)].flatMap(([, names = '']) =>
    [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
  )
  expect(settingNames.filter((name) => !told.includes(name))).toEqual([])
  // The variables of OpenTelemetry are its own.
  expect(told.filter((name) => !settingNames.includes(name) && !name.startsWith('OTEL_'))).toEqual([])
})

test('each box of a page that scrolls to the side can be reached with the keyboard', () => {
  const rendered = [...sitePages().values()].map((page) => render(page).text)
  const boxes = rendered.flatMap((text) => text.match(/<pre[^>]*>|<div class="wide"[^>]*>/g) ?? [])
  expect(new Set(boxes)).toEqual(
    new Set([
      '<pre tabindex="0" role="group" aria-label="Code">',
      '<div class="wide" tabindex="0" role="group" aria-label="Table">',
    ]),
  )
})
