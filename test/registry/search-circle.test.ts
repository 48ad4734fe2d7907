import fc from 'fast-check'
import { expect, test } from 'vitest'
import { boxesAround } from '../../src/domain/registry/search/search-circle.ts'
import { metresApart } from './metres-apart.ts'

const place = fc.record({
  lat: fc.oneof(fc.double({ min: -90, max: 90, noNaN: true }), fc.constantFrom(-90, -89.999, 0, 89.999, 90)),
  lng: fc.oneof(fc.double({ min: -180, max: 180, noNaN: true }), fc.constantFrom(-180, -179.999, 0, 179.999, 180)),
})
const radius = fc.oneof(fc.double({ min: 0, max: 20_015_000, noNaN: true }), fc.integer({ min: 0, max: 50_000 }))
const holds = (boxes: ReturnType<typeof boxesAround>, { lat, lng }: { lat: number; lng: number }) =>
  boxes.some(({ west, south, east, north }) => west <= lng && lng <= east && south <= lat && lat <= north)

test('[REG-048] the boxes around a circle hold every place in it, at the poles and the 180th meridian too', () => {
  fc.assert(
    fc.property(place, place, radius, (centre, other, metres) => {
      if (metresApart(centre, other) <= metres) expect(holds(boxesAround({ ...centre, metres }), other)).toBe(true)
    }),
    { numRuns: 20_000 },
  )
})

test.each([
  ['in a city', { lat: 40, lng: -74, metres: 5000 }, { lat: 40.06, lng: -74 }],
  ['at the 180th meridian', { lat: -17, lng: 179.99, metres: 5000 }, { lat: -17, lng: 0 }],
])('[REG-048] the boxes %s leave out what lies far off', (_, circle, other) => {
  expect(holds(boxesAround(circle), circle)).toBe(true)
  expect(holds(boxesAround(circle), other)).toBe(false)
})
