import { asMembers, type Members } from '../../caller/answer.ts'
import {
  expectEqual,
  expectInstant,
  expectList,
  expectMembers,
  expectText,
  expectTrue,
} from '../../run/expectations.ts'
import { channelOf, sharedServices, visitService } from '../../target/service-kinds.ts'
import { check } from '../check.ts'
import {
  askToBook,
  bookingOf,
  expectOffered,
  firstResourceOf,
  hasResources,
  hasSpots,
  readBooking,
  spotsOf,
} from './slots-and-bookings.ts'

const needs = ['services.bookings']

/** Returns the consents in a booking, as pairs of category and value. */
const consentsOf = ({ buyer }: Members) => Object.entries(asMembers(asMembers(buyer)?.consent) ?? {})

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
      expectEqual('cancellation' in booking, false, 'the presence of a cancellation in the booking')
      await expectOffered(c, slot, false)
    },
    { needs },
  ),
  check(
    'BKG-001',
    'A new booking gets HTTP 201',
    async (c) => {
      const answer = await askToBook(c, await c.slot(c.simpleService))
      bookingOf(answer)
      expectEqual(answer.status, 201, 'the HTTP status')
    },
    { needs, only: 'rest' },
  ),
  check(
    'BKG-003',
    'The business chooses the id of a booking, even if the request contains an id',
    async (c) => {
      const { booking } = await c.book(c.simpleService, { input: { id: 'booking_of_the_caller' } })
      expectTrue(expectText(booking.id, 'id') !== 'booking_of_the_caller', 'an id of the business', booking.id)
    },
    { needs },
  ),
  check(
    'BKG-021',
    'A booking has the resources of its slot',
    async (c) => {
      const slot = await c.slot(c.simpleService, { where: hasResources })
      const booking = bookingOf(await askToBook(c, slot))
      const ids = (list: unknown) => expectList(list, 'resources').map(({ id }) => id)
      const missing = ids(slot.resources).filter((id) => !ids(booking.resources).includes(id))
      expectEqual(missing, [], 'the resources of the slot that are missing in the booking')
    },
    { needs },
  ),
  check(
    'BKG-022 LIV-011',
    'The server refuses a booking with a resource that its slot does not have',
    async (c) => {
      const slot = await c.slot(c.simpleService, { where: hasResources })
      const wrong = await askToBook(c, slot, { input: { resource_id: 'resource_of_no_business' } })
      wrong.failsWith('validation_error')
      bookingOf(await askToBook(c, slot, { input: { resource_id: firstResourceOf(slot) } }))
    },
    { needs },
  ),
  check(
    'BKG-023',
    'A booking shows the buyer, recipient and notes exactly as sent',
    async (c) => {
      const people = { buyer: c.buyer(), recipient: c.buyer(), notes: '"Ring" twice & wait. It’s <b>2</b>. 東京' }
      const { booking } = await c.book(c.simpleService, { input: people })
      for (const shown of [booking, await readBooking(c, booking)])
        expectEqual({ buyer: shown.buyer, recipient: shown.recipient, notes: shown.notes }, people, 'the people')
      const { booking: other } = await c.book()
      expectEqual('recipient' in other, false, 'the presence of a recipient in a booking without one')
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
    'A visit to the buyer shows the address as sent, and no location',
    async (c) => {
      const slot = await c.slot(visitService(c))
      const { delivery_address } = c.bookingOf(slot)
      const booking = bookingOf(await askToBook(c, slot, { input: { delivery_address } }))
      expectEqual(booking.delivery_address, delivery_address, 'delivery_address')
      expectEqual('location' in booking, false, 'the presence of a location in the booking')
    },
    { needs },
  ),
  check(
    'BKG-018',
    'A group booking takes one spot for each person',
    async (c) => {
      for (const service of sharedServices(c)) {
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
    'A booking shows the consent of the buyer as sent, and no other consent',
    async (c) => {
      const consent: Members = {
        analytics: true,
        marketing: false,
        preferences: true,
        sale_of_data: false,
        health_data: true,
        'x-acme-research': true,
      }
      const slot = await c.slot(c.simpleService)
      const booking = bookingOf(await askToBook(c, slot, { input: { buyer: { ...c.buyer(), consent } } }))
      for (const [category, value] of consentsOf(booking)) expectEqual(value, consent[category], `consent ${category}`)
      const buyer = { ...c.buyer(), consent: { analytics: true } }
      const { booking: partly } = await c.book(c.simpleService, { input: { buyer } })
      for (const [category, value] of consentsOf(partly))
        expectEqual(value, category === 'analytics', `the consent ${category}, if only analytics is sent`)
      const { booking: other } = await c.book()
      const granted = consentsOf(other).filter(([, value]) => value)
      expectEqual(granted, [], 'the consent of a buyer who gave none')
    },
    { needs },
  ),
  check(
    'BKG-132',
    'No answer contains a card number or identity document from the request',
    async (c) => {
      const card = '4242424242424242'
      const buyer = { ...c.buyer(), card_number: card, passport_number: 'X1234567' }
      const slot = await c.slot(c.simpleService)
      const answer = await askToBook(c, slot, { input: { buyer, card_number: card } })
      const read = answer.result?.booking ? await readBooking(c, bookingOf(answer)) : {}
      const text = JSON.stringify(read) + answer.text
      expectEqual(text.includes(card), false, 'the presence of the card number in an answer')
      expectEqual(text.includes('X1234567'), false, 'the presence of the passport number in an answer')
    },
    { needs },
  ),
]
