import { expect, test } from 'vitest'
import { type Schema, selfContained, shape } from '../../src/protocol/schemas.ts'
import type { ServiceDefinition } from '../../src/protocol/types.generated.ts'
import { placesRefused } from '../definition/reading.ts'
import { businessWith, service } from '../support/definitions.ts'

const FORMATS = ['date', 'duration', 'email']

/** Without what is escaped and what stands for a single character, it repeats nothing without an end. */
const isOfSomeLength = (pattern: string) => !/[*+]|\{\d+,\}/.test(pattern.replace(/\\.|\[[^\]]*\]/g, 'x'))

const isBounded = ({ maxLength, enum: listed, const: only, format, pattern }: Schema) =>
  maxLength !== undefined ||
  listed !== undefined ||
  only !== undefined ||
  FORMATS.includes(String(format)) ||
  (typeof pattern === 'string' && isOfSomeLength(pattern))

/** Where a text may be of any length. */
function* unbounded(schema: unknown, path: string): Generator<string> {
  if (typeof schema !== 'object' || schema === null) return
  if ('type' in schema && schema.type === 'string' && !isBounded(schema)) yield path
  for (const [name, part] of Object.entries(schema)) yield* unbounded(part, `${path}.${name}`)
}

test('[no stored value stalls the server] no text of a definition is of any length: each stands in thousands of slots and bookings', () => {
  expect([...unbounded(selfContained(shape('BusinessDefinition')), '')]).toEqual([])
})

const { policies } = service('svc_any')
const aheadFor = (max_advance: string) => ({
  policies: { ...policies, booking_window: { ...policies.booking_window, max_advance } },
})

test.each<[string, Partial<ServiceDefinition>, string[]]>([
  ['a name that fills a page', { name: 'n'.repeat(201) }, ['services[svc_one].name']],
  ['a waiver that fills a book', { waiver: { text: 'w'.repeat(20_001) } }, ['services[svc_one].waiver.text']],
  [
    'a hundred questions',
    { intake: Array.from({ length: 100 }, (_, nth) => ({ id: `q_${nth}`, question: 'Why?' })) },
    ['services[svc_one].intake'],
  ],
  ['bookings for a hundred years', aheadFor('P100Y'), ['services[svc_one].policies.booking_window.max_advance']],
  ['bookings for five years', aheadFor('P5Y'), []],
])('[no stored value stalls the server] %s', (_, more, places) => {
  expect(placesRefused(businessWith([service('svc_one', more)]))).toEqual(places)
})
