import { expect, test } from 'vitest'
import { type Schema, selfContained, shape } from '../../src/protocol/json-schemas.ts'
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

const long = { duration: { fixed: 'PT1H', buffer_before: 'P400D', buffer_after: 'P400D' } }
const travelling = (travel_time: string) => ({ channel: { type: 'at_buyer_location' as const }, travel_time })
const courses = (max: number, capacity = 8, limit = 8): Partial<ServiceDefinition> => ({
  type: 'group',
  capacity: { max, waitlist: true },
  waitlist: { limit },
  sessions: [{ days: ['monday'], starts: '10:00', capacity }],
})

test.each<[string, Partial<ServiceDefinition>, string[]]>([
  ['a year and more that is kept free', long, []],
  ['centuries before it', { duration: { fixed: 'PT1H', buffer_before: 'P7000Y' } }, ['duration.buffer_before']],
  ['centuries after it', { duration: { fixed: 'PT1H', buffer_after: 'P7990Y' } }, ['duration.buffer_after']],
  ['a way of centuries', travelling('P7000Y'), ['travel_time']],
  ['a million in a class, and five thousand who wait', courses(1_000_000, 1_000_000, 5_000), []],
  ['more in a class than are counted', courses(2 ** 31), ['capacity.max']],
  ['more in one class than are counted', courses(8, 2 ** 31), ['sessions[0].capacity']],
  ['more who wait than can be told within a call', courses(8, 8, 10_000), ['waitlist.limit']],
])('[no stored value stalls the server] %s', (_, more, places) => {
  expect(placesRefused(businessWith([service('svc_one', more)]))).toEqual(
    places.map((place) => `services[svc_one].${place}`),
  )
})
