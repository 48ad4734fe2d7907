import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { MOST_RUNS } from '../../src/domain/catalog/decode-slot-bitmap.ts'
import { CRAWL_WAIT } from '../../src/domain/registry/indexing/crawl-catalogue.ts'
import { LONGEST } from '../../src/domain/registry/indexing/indexed-service.ts'
import { LEVELS } from '../../src/domain/registry/search/expand-search-words.ts'
import { RINGS, relevanceOf } from '../../src/domain/registry/search/relevance.ts'
import { HORIZON_MS, rankSignals } from '../../src/domain/registry/search/service-ranking-signals.ts'
import { DAY, HOUR } from '../../src/infra/time/time-units.ts'
import { START } from '../support/server.ts'
import { freeAt } from './hints.ts'

const page = readFileSync('docs/directory.md', 'utf8')
const section = (page.split('### Ranking of services')[1]?.split('\n## ')[0] ?? '').replace(/\s+/g, ' ')
const rowOf = (signal: string) => section.match(new RegExp(`\\| \`${signal}\` \\|[^|]*\\|[^|]*\\|`))?.[0] ?? ''

const steps = LEVELS.length * RINGS
const { availability_hint: hint } = freeAt(['2026-11-20T09'])
const scoring = { relevance: relevanceOf(0), at: START.getTime(), wanted: undefined }
const words = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']

test('[LIV-095] the page has each signal of a result with its range', () => {
  for (const [signal, value] of Object.entries(rankSignals(hint, scoring)))
    expect(rowOf(signal)).toContain(typeof value === 'boolean' ? 'true or false' : ' to 1')
  expect(rowOf('relevance')).toContain(
    `${relevanceOf(steps - 1).toFixed(1)} to ${relevanceOf(0)}, in ${words[steps]} steps`,
  )
  expect(rowOf('relevance')).toContain(`${words[LEVELS.length]} match levels`)
  expect(rowOf('soonness')).toContain(`no start is free within ${words[HORIZON_MS / (7 * DAY)]} weeks`)
  const unknown = Object.entries(rankSignals(undefined, scoring)).flatMap(([name, value]) =>
    value === null ? [name] : [],
  )
  for (const signal of unknown) expect(rowOf(signal)).toContain('or null')
})

test('[LIV-095] the page names the inputs of the ranking and their limits', () => {
  for (const input of ['availability_hint', 'next_available_date', 'valid_until', 'generated_at'])
    expect(section).toContain(`\`${input}\``)
  expect(section).toContain(`more than ${MOST_RUNS.toLocaleString('en')} separate runs of free starts`)
  expect(section).toContain(`more than ${LONGEST.hint.toLocaleString('en')} characters`)
})

test('[LIV-095] the page says how much availability can weigh', () => {
  expect(section).toContain(
    `The availability of a service changes its rank only among services of equal relevance. It never outweighs one step of relevance, which is ${(relevanceOf(0) - relevanceOf(1)).toFixed(1)}.`,
  )
})

test('[LIV-095] the page says how often the directory reads hints', () => {
  expect(CRAWL_WAIT).toEqual({ least: HOUR, most: DAY })
  expect(section).toContain(
    'the directory reads the hints within seconds. Otherwise it reads them at least once a day.',
  )
  expect(page.replace(/\s+/g, ' ')).toContain('at least once a day and at most once an hour')
})
