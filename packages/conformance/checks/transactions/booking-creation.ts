import { asMembers } from '../../caller/answer.ts'
import {
  expectEqual,
  expectInstant,
  expectList,
  expectMembers,
  expectText,
  expectTrue,
} from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { check } from '../check.ts'
import { channelOf } from './service-kinds.ts'
import { askToBook, bookingOf, expectOffered, hasSpots, readBooking, spotsOf } from './slots-and-bookings.ts'

const needs = ['services.bookings']

export const bookingCreationChecks = [
  check(
    'BKG-001 BKG-004 BKG-017 BKG-020 BKG-093',
    'A free slot can be booked without a hold',
    async (c) => {
      const { booking, result, slot } = await c.book()
      c.schemas.expectValid('booking#Booking', booking, 'the booking')
      expectEqual(expectMembers(result.usp, 'usp').version, '2026-08-20', 'usp.version')
      expectEqual(booking.service_id, c.simpleService.id, 'service_id')
      expectEqual(booking.service_name, c.simpleService.name, 'service_name')
      expectEqual(booking.party_size, 1, 'party_size')
      const booked = expectMembers(booking.slot, 'slot')
      for (const member of ['id', 'duration']) expectEqual(booked[member], slot[member], `slot.${member}`)
      for (const member of ['start', 'end'] as const)
        expectEqual(expectInstant(booked[member], `slot.${member}`), Date.parse(slot[member]), `slot.${member}`)
      expectInstant(booking.created_at, 'created_at')
      expectInstant(booking.updated_at, 'updated_at')
      expectEqual('cancellation' in booking, false, 'whether the booking has a cancellation')
      await expectOffered(c, slot, false)
    },
    { needs },
  ),
  check(
    'BKG-001',
    'The answer to a new booking is 201',
    async (c) => {
      const answer = await askToBook(c, await c.slot(c.simpleService))
      bookingOf(answer)
      expectEqual(answer.status, 201, 'the HTTP status')
    },
    { needs, only: 'rest' },
  ),
  check(
    'BKG-003',
    'The business gives a booking its id, whatever the request says',
    async (c) => {
      const { booking } = await c.book(c.simpleService, { input: { id: 'booking_of_the_caller' } })
      expectTrue(expectText(booking.id, 'id') !== 'booking_of_the_caller', 'an id of the business', booking.id)
    },
    { needs },
  ),
  check(
    'BKG-021',
    'A booking has the resources that its slot named',
    async (c) => {
      const slot = await c.slot(c.simpleService, { where: ({ resources }) => Array.isArray(resources) })
      const booking = bookingOf(await askToBook(c, slot))
      const ids = (list: unknown) => expectList(list, 'resources').map(({ id }) => id)
      const missing = ids(slot.resources).filter((id) => !ids(booking.resources).includes(id))
      expectEqual(missing, [], 'the resources of the slot that the booking lacks')
    },
    { needs },
  ),
  check(
    'BKG-022 LIV-011',
    'A resource must be one of the slot, or the booking is an invalid request',
    async (c) => {
      const slot = await c.slot(c.simpleService, { where: ({ resources }) => Array.isArray(resources) })
      const wrong = await askToBook(c, slot, { input: { resource_id: 'resource_of_no_business' } })
      wrong.failsWith('validation_error', { rest: 422, mcp: -32602 })
      const resource_id = asMembers((slot.resources as unknown[])[0])?.id
      bookingOf(await askToBook(c, slot, { input: { resource_id } }))
    },
    { needs },
  ),
  check(
    'BKG-023',
    'A booking shows buyer, recipient and notes as they were sent',
    async (c) => {
      const people = { buyer: c.buyer(), recipient: c.buyer(), notes: '"Ring" twice & wait. It’s <b>2</b>. 東京' }
      const { booking } = await c.book(c.simpleService, { input: people })
      for (const shown of [booking, await readBooking(c, booking)])
        expectEqual({ buyer: shown.buyer, recipient: shown.recipient, notes: shown.notes }, people, 'the people')
      const { booking: other } = await c.book()
      expectEqual('recipient' in other, false, 'whether a booking without recipient has one')
    },
    { needs },
  ),
  check(
    'BKG-024',
    'A booking at the business shows its location',
    async (c) => {
      const here = c.service('service at the business', (one) =>
        ['at_business_location', 'hybrid'].includes(String(channelOf(one))),
      )
      const { booking } = await c.book(here)
      const { id, name } = expectMembers(booking.location, 'location')
      const locations = expectList(c.target.business.locations, 'the locations of the profile')
      const known = locations.find((location) => location.id === id)
      if (locations.length > 0) expectEqual(name, known?.name, `name of the location ${id}`)
      expectText(name, 'location.name')
    },
    { needs },
  ),
  check(
    'BKG-025 BKG-026',
    'A visit at the buyer’s place shows the address as it was sent, and no location',
    async (c) => {
      const visit = c.service('service at the buyer’s place', (one) => channelOf(one) === 'at_buyer_location')
      const slot = await c.slot(visit)
      const { delivery_address } = c.bookingOf(slot)
      const booking = bookingOf(await askToBook(c, slot, { input: { delivery_address } }))
      expectEqual(booking.delivery_address, delivery_address, 'delivery_address')
      expectEqual('location' in booking, false, 'whether the booking has a location')
    },
    { needs },
  ),
  check(
    'BKG-018',
    'A booking of a group takes as many spots as it has people',
    async (c) => {
      const kinds = ['group', 'reservation'].map((type) => c.services.find((one) => one.type === type))
      const services = kinds.filter((service) => service !== undefined)
      if (services.length === 0) throw new Skip('The catalogue has no group or reservation service.')
      for (const service of services) {
        const slot = await c.slot(service, { where: hasSpots(2) })
        const before = await spotsOf(c, slot)
        const booking = bookingOf(await askToBook(c, slot, { input: { party_size: 2 } }))
        expectEqual(booking.party_size, 2, 'party_size')
        expectEqual((await spotsOf(c, slot)).remaining, before.remaining - 2, `remaining of the ${service.type} slot`)
      }
    },
    { needs },
  ),
  check(
    'BKG-127 BKG-129',
    'A booking keeps the buyer’s consent as it was given, and shows no other',
    async (c) => {
      const consent = {
        analytics: true,
        marketing: false,
        preferences: true,
        sale_of_data: false,
        health_data: true,
        'x-acme-research': true,
      }
      const slot = await c.slot(c.simpleService)
      const booking = bookingOf(await askToBook(c, slot, { input: { buyer: { ...c.buyer(), consent } } }))
      const shown = asMembers(asMembers(booking.buyer)?.consent) ?? {}
      for (const [category, value] of Object.entries(shown))
        expectEqual(value, consent[category as keyof typeof consent], `consent ${category}`)
      const buyer = { ...c.buyer(), consent: { analytics: true } }
      const { booking: partly } = await c.book(c.simpleService, { input: { buyer } })
      for (const [category, value] of Object.entries(asMembers(asMembers(partly.buyer)?.consent) ?? {}))
        expectEqual(value, category === 'analytics', `consent ${category}, when only analytics was sent`)
      const { booking: other } = await c.book()
      const granted = Object.entries(asMembers(asMembers(other.buyer)?.consent) ?? {}).filter(([, value]) => value)
      expectEqual(granted, [], 'the consent of a buyer that gave none')
    },
    { needs },
  ),
  check(
    'BKG-132',
    'A booking does not show members that a booking does not have',
    async (c) => {
      const card = '4242424242424242'
      const buyer = { ...c.buyer(), card_number: card, passport_number: 'X1234567' }
      const slot = await c.slot(c.simpleService)
      const answer = await askToBook(c, slot, { input: { buyer, card_number: card } })
      const text = answer.result?.booking
        ? JSON.stringify(await readBooking(c, bookingOf(answer))) + answer.text
        : answer.text
      expectEqual(text.includes(card), false, 'whether an answer has the card number')
      expectEqual(text.includes('X1234567'), false, 'whether an answer has the passport number')
    },
    { needs },
  ),
]
