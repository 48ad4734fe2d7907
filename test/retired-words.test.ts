import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Names that readers did not understand, and the names in their place (docs/glossary.md). */
const RETIRED_NAMES: Record<string, string> = {
  asking: 'deskRequest, stepRequest',
  BusyAsNeeded: 'LazyOccupancy',
  cameFree: 'released',
  cameFrom: 'bookingSource',
  doors: 'interfaces',
  giveUpInSilence: 'abandonUnresponsive',
  inTime: 'withTimeout',
  introduce: 'configure',
  isShareUsed: 'isTimeSliceUsed',
  isSpent: 'mustDiscard',
  letOthers: 'yieldToEventLoop',
  Means: 'Dependencies',
  means: 'dependencies',
  NothingStays: 'a result',
  NotRead: 'a result',
  NotToBeHad: 'SlotTakenError',
  NoTurn: 'ConcurrencyTimeoutError',
  OtherHost: 'WrongHostRoleError',
  Outcome: 'BusinessRefusal',
  outrun: 'failUnreplicated',
  portions: 'chunks',
  recordOf: 'asRecord',
  rehearsed: 'dryRun',
  sendGathered: 'flush',
  speech: 'localizer',
  takesChanges: 'isWritable',
  toldApart: 'hasSeparateQueue',
  ToldStep: 'RecordedSpan',
  underway: 'inProgress',
  whereabouts: 'hostLocator',
  Whereabouts: 'HostLocator',
}

/** Turns of phrase that took a second reading, and plain words in their place. */
const RETIRED_PHRASES: Record<string, string> = {
  whoever: 'the caller',
  'of whom': 'whose',
  'is told of': 'is notified of',
  'are told of': 'are notified of',
  'in silence': 'without a message',
  'before the set': 'before migrations',
  'what is taken': 'claimed time',
  'came free': 'was released',
}

const words = (text: string) => new Set(text.match(/[A-Za-z_]\w*/g))

/** The code without its comments and strings. */
const codeOf = (text: string) =>
  text
    .replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '')
    .replace(/'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g, "''")
    .replace(/`(?:\\[\s\S]|\$\{(?:[^{}]|\{[^{}]*\})*\}|[^`\\])*`/g, (template) =>
      [...template.matchAll(/\$\{((?:[^{}]|\{[^{}]*\})*)\}/g)].map(([, code = '']) => code).join(' '),
    )

const commentsOf = (text: string) => (text.match(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm) ?? []).join('\n')

const sources = globSync('{src,packages}/**/*.ts').filter((path) => !path.includes('generated'))
const pages = globSync(['*.md', 'docs/**/*.md', 'deploy/**/*.md'])

test('the code uses no name that the glossary retired', () => {
  const found = sources.flatMap((path) => {
    const used = words(codeOf(readFileSync(path, 'utf8')))
    return Object.keys(RETIRED_NAMES)
      .filter((name) => used.has(name))
      .map((name) => `${path}: ${name}; use ${RETIRED_NAMES[name]}`)
  })
  expect(found).toEqual([])
})

test.each(Object.entries(RETIRED_PHRASES))('comments and pages say “%s” no more, but “%s”', (phrase) => {
  const pattern = new RegExp(`\\b${phrase}\\b`, 'i')
  const texts = [
    ...sources.map((path) => ({ path, text: commentsOf(readFileSync(path, 'utf8')) })),
    ...pages.map((path) => ({ path, text: readFileSync(path, 'utf8') })),
  ]
  expect(
    texts.filter(({ text }) => pattern.test(text.replace(/\s*\n\s*\*?\s*/g, ' '))).map(({ path }) => path),
  ).toEqual([])
})
