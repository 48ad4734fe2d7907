import { describe, expect, test } from 'vitest'
import { minutesOf, priceOf } from '../../src/domain/registry/indexing/duration-and-price-intervals.ts'
import { indexedService, isIndexable } from '../../src/domain/registry/indexing/indexed-service.ts'
import type { Channel, Duration, Pricing, Service, ServiceCategory } from '../../src/protocol/types.generated.ts'
import { fed } from './services.ts'

const USD = { currency: 'USD' }
const listed = { address: '1 Main St', coordinates: { lat: 40, lng: -74 } }
const other = { address: '2 Side St', coordinates: { lat: 41, lng: -75 } }

test.each<[what: string, Duration, [number, number] | undefined]>([
  ['[REG-078] a fixed one', { fixed: 'PT1H30M' }, [90, 90]],
  ['[REG-078] a range', { range: { min: 'PT30M', max: 'PT2H', step: 'PT30M' } }, [30, 120]],
  ['one of days', { range: { min: 'P1D', max: 'P1W' } }, [1440, 10_080]],
  ['[REG-079] an undetermined one', { undetermined: true }, undefined],
  ['[REG-079] an undetermined one that names a length all the same', { undetermined: true, fixed: 'PT1H' }, undefined],
  ['half a range', { range: { min: 'PT30M' } }, undefined],
  ['a range the wrong way round', { range: { min: 'PT2H', max: 'PT1H' } }, undefined],
  ['no duration', { fixed: 'an hour' }, undefined],
  ['less than nothing', { fixed: '-PT1H' }, undefined],
  ['one beyond all calendars', { fixed: 'P999999999Y' }, undefined],
  ['one beyond all columns', { fixed: 'P200000Y' }, undefined],
])('%s in minutes', (_, duration, minutes) => expect(minutesOf(duration)).toEqual(minutes))

test.each<[what: string, Pricing, [number, number] | undefined]>([
  ['[REG-084] a free one', { model: 'free', ...USD }, [0, 0]],
  ['[REG-082] a fixed one', { model: 'fixed', amount: 12_000, ...USD }, [12_000, 12_000]],
  ['[REG-082] a variable one', { model: 'variable', price_range: { min: 1, max: 2 }, ...USD }, [1, 2]],
  ['[REG-082] an hourly one', { model: 'hourly', amount: 5, price_range: { min: 5, max: 50 }, ...USD }, [5, 50]],
  [
    '[REG-082] one for each person',
    { model: 'per_person', amount: 5, price_range: { min: 5, max: 9 }, ...USD },
    [5, 9],
  ],
  ['[REG-083] a variable one without a range', { model: 'variable', ...USD }, undefined],
  ['[REG-083] an hourly one without a range', { model: 'hourly', amount: 5000, ...USD }, undefined],
  [
    'a fixed one with a deposit',
    { model: 'fixed', amount: 9, deposit: { type: 'fixed', value: 3, refundable: true }, ...USD },
    [9, 9],
  ],
  ['a fixed one without an amount', { model: 'fixed', ...USD }, undefined],
  ['a range the wrong way round', { model: 'variable', price_range: { min: 2, max: 1 }, ...USD }, undefined],
  ['one that no column holds', { model: 'fixed', amount: 1e300, ...USD }, undefined],
])('%s has its price', (_, pricing, price) => expect(priceOf(pricing)).toEqual(price))

const merchant = { taxonomy: 'merchant' }
test.each<[what: string, ServiceCategory[], text: string]>([
  [
    '[REG-065] the name of the primary',
    [
      { ...merchant, id: 'a' },
      { ...merchant, id: 'b', name: 'B', primary: true },
    ],
    'B',
  ],
  ['[REG-065] else its value', [{ taxonomy: 'google', id: 'a', value: 'health > massage' }], 'health > massage'],
  ['[REG-065] else its id', [{ ...merchant, id: 'wellness' }], 'wellness'],
  [
    '[REG-065] the only merchant entry',
    [
      { taxonomy: 'google', value: 'v' },
      { ...merchant, id: 'own' },
    ],
    'own',
  ],
  ['[REG-066] the type without categories', [], 'appointment'],
])('as its category a service shows %s', (_, categories, text) =>
  expect(indexedService(fed('svc', { categories }), null).body.category).toBe(text),
)

describe('where it is found', () => {
  const channels: [Channel['type'], own: boolean, number][] = [
    ['at_business_location', true, 41],
    ['at_business_location', false, 40],
    ['hybrid', true, 41],
    ['at_buyer_location', false, 40],
  ]
  test.each(channels)('%s, with places of its own: %s', (type, own, lat) => {
    const service = fed('svc', { channel: { type }, ...(own && { locations: [other] }) })
    expect(indexedService(service, listed).places).toEqual([lat === 41 ? other : listed])
  })

  test.each<Channel['type']>(['virtual', 'phone'])('[REG-050] %s is nowhere, whatever else is said', (type) =>
    expect(indexedService(fed('svc', { channel: { type }, locations: [other] }), listed).places).toEqual([]),
  )

  test.each([
    ['no point', { address: 'Somewhere' }],
    ['half a point', { coordinates: { lat: 3 } }],
    ['a point beyond the map', { coordinates: { lat: 91, lng: 0 } }],
  ])('a place with %s is where the business is', (_, place) => {
    expect(indexedService(fed('svc', { locations: [place] }), listed).places).toEqual([listed])
    expect(indexedService(fed('svc', { locations: [place] }), null).places).toEqual([])
  })
})

test('[REG-068] its hint is kept to the letter', () => {
  const hint = { summary: 'Free  on\nMonday', generated_at: '2026-11-20T12:00:00+01:00', more: [1] }
  const kept = (availability_hint: Service['availability_hint']) =>
    indexedService(fed('svc', availability_hint && { availability_hint }), null)
  expect(kept(hint).body.availability_hint).toEqual(hint)
  expect(kept({ ...hint, summary: 'x'.repeat(20_000) }).body.availability_hint).toBeUndefined()
  expect(kept(undefined).body).not.toHaveProperty('availability_hint')
})

test('what a business adds to its prices is not carried along', () => {
  const pricing = { model: 'fixed' as const, amount: 5, ...USD, story: 'x'.repeat(9000) }
  expect(indexedService(fed('svc', { pricing }), null).body.pricing).toEqual({ model: 'fixed', amount: 5, ...USD })
})

test('a range has no one length to show', () => {
  const of = (duration: Duration) => indexedService(fed('svc', { duration }), null).body.duration_minutes
  expect(of({ fixed: 'PT45M' })).toBe(45)
  expect(of({ range: { min: 'PT30M', max: 'PT60M' } })).toBeUndefined()
  expect(of({ undetermined: true })).toBeUndefined()
})

test.each<[what: string, Partial<Service>, boolean]>([
  ['an active one', { status: 'active' }, true],
  ['one without a word of it', {}, true],
  ['a suspended one', { status: 'suspended' }, false],
  ['an archived one', { status: 'archived' }, false],
  ['one without an id', { id: '' }, false],
  ['a name without end', { name: 'x'.repeat(501) }, false],
  ['a type without end', { type: 'x'.repeat(201) }, false],
  ['a currency without end', { pricing: { model: 'free', currency: 'x'.repeat(11) } }, false],
])('%s is indexed: %s', (_, more, kept) => expect(isIndexable(fed('svc', more))).toBe(kept))

test('texts without end, and halves of characters, are cut where a database can take them', () => {
  const description = `${'𠀀'.repeat(61)} ${'word '.repeat(20_000)}`
  const { texts, names } = indexedService(fed('svc', { name: `A${'𠀀'.repeat(100)}`, description }), null)
  expect(texts.length).toBeLessThan(20_000)
  expect([texts.isWellFormed(), names.isWellFormed()]).toEqual([true, true])
})

test('whoever sends books is not read for longer than others', () => {
  const begun = performance.now()
  // Each of these characters stands for eighteen.
  const { texts } = indexedService(fed('svc', { description: `Opening ${'ﷺ'.repeat(1_300_000)}` }), null)
  expect(performance.now() - begun).toBeLessThan(1_000)
  expect(texts).toMatch(/^opening /)
})
