import { expect, test } from 'vitest'
import { placeText } from '../../src/domain/bookings/booking-location-text.ts'
import { localizerFor } from '../../src/infra/i18n/localizer.ts'
import { businessWith } from '../support/definitions.ts'

const definition = businessWith([], { locations: [{ id: 'loc_main', name: 'Main Street', address: '1 Main St' }] })
const main = { id: 'loc_main', name: 'The Old Mill' }
const address = {
  line1: '120 Spring Street',
  line2: 'Floor 3',
  city: 'New York',
  region: 'NY',
  postal_code: '10012',
  country: 'US',
}
const say = localizerFor('de')?.say ?? String

test.each([
  [
    'at the business, by its address',
    { channel: { type: 'at_business_location' }, location: main },
    /^The Old Mill, 1/,
  ],
  ['at a place it has no more', { channel: { type: 'hybrid' }, location: { id: 'loc_x', name: 'Uptown' } }, /^Uptown$/],
  ['at a business without places', { channel: { type: 'at_business_location' } }, /^Test Studio$/],
  [
    'at the buyer’s, by the whole address',
    { channel: { type: 'at_buyer_location' }, address },
    /^120 Spring Street, Floor 3, New York, NY 10012, US$/,
  ],
  ['online', { channel: { type: 'virtual' } }, /^Online$/],
  ['online, though a room is taken up for it', { channel: { type: 'virtual' }, location: main }, /^Online$/],
  ['where a meeting has a name', { channel: { type: 'virtual', virtual_provider: 'Zoom' } }, /^Zoom$/],
  ['by phone', { channel: { type: 'phone' } }, /^Telefonisch$/],
] as const)('[one place for a booking] %s', (_, where, told) => {
  expect(placeText(where, definition, { say })).toMatch(told)
})

test('[one place for a booking] an address that was forgotten is told nowhere', () => {
  expect(placeText({ channel: { type: 'at_buyer_location' } }, definition, { say })).toBeUndefined()
})
