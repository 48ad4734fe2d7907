import type { Members } from '../../caller/answer.ts'
import { expectEqual, expectTrue } from '../../run/expectations.ts'
import { groupService, visitService } from '../../target/service-kinds.ts'
import { check } from '../check.ts'
import {
  askForHold,
  askToBook,
  bookingOf,
  expectOffered,
  hasSpots,
  spotsOf,
  UNKNOWN_SERVICE,
} from './slots-and-bookings.ts'

const needs = ['services.bookings']

function without(members: Members, name: string): Members {
  const { [name]: _, ...others } = members
  return others
}

export const bookingRequestChecks = [
  check(
    'BKG-008 BKG-043',
    'The server refuses a booking without service, slot or buyer, and takes no slot',
    async (c) => {
      const slot = await c.slot(c.simpleService)
      for (const member of ['service_id', 'slot_id', 'buyer'])
        (await c.caller.call('book', without(c.bookingOf(slot), member))).failsWith('invalid_request')
      await expectOffered(c, slot, true)
    },
    { needs },
  ),
  check(
    'BKG-009 BKG-011',
    'The server refuses a buyer or recipient without a name or email address',
    async (c) => {
      const slot = await c.slot(c.simpleService)
      for (const person of ['buyer', 'recipient'])
        for (const member of ['first_name', 'last_name', 'email']) {
          const input = { [person]: without(c.buyer(), member) }
          ;(await askToBook(c, slot, { input })).failsWith('invalid_request')
        }
      await expectOffered(c, slot, true)
    },
    { needs },
  ),
  check(
    'BKG-010 BKG-016 BKG-128 LIV-031',
    'The server refuses invalid values in a booking, and does not repeat data of the buyer',
    async (c) => {
      const slot = await c.slot(c.simpleService)
      const secret = 'Quentin-no-address'
      const faulty = [
        { buyer: { ...c.buyer(), email: secret } },
        { party_size: 0 },
        { party_size: -1 },
        { party_size: 1.5 },
        { buyer: { ...c.buyer(), last_name: secret, consent: { marketing: 'yes' } } },
      ]
      for (const input of faulty) {
        const answer = await askToBook(c, slot, { input })
        answer.failsWith('validation_error')
        expectEqual(answer.text.includes(secret), false, 'the presence of data of the buyer in the refusal')
      }
      await expectOffered(c, slot, true)
    },
    { needs },
  ),
  check(
    'LIV-010 LIV-011',
    'The server refuses a booking of an unknown service',
    async (c) => {
      const slot = await c.slot(c.simpleService)
      const answer = await c.caller.call('book', { ...c.bookingOf(slot), service_id: UNKNOWN_SERVICE })
      answer.failsWith('validation_error')
    },
    { needs },
  ),
  check(
    'LIV-011 BKG-028',
    'A visit to the buyer needs a complete address',
    async (c) => {
      const slot = await c.slot(visitService(c))
      const input = c.bookingOf(slot)
      ;(await c.caller.call('book', without(input, 'delivery_address'))).failsWith('validation_error')
      const address = input.delivery_address as Members
      for (const member of ['line1', 'city', 'country']) {
        const answer = await c.caller.call('book', { ...input, delivery_address: without(address, member) })
        answer.failsWith('invalid_request')
      }
      await expectOffered(c, slot, true)
    },
    { needs },
  ),
  check(
    'BKG-005 BKG-041 BKG-042 BKG-043 BKG-046',
    'A booked slot cannot be booked again, and the refusal has no booking and no credential',
    async (c) => {
      const { slot } = await c.book()
      for (const caller of [c.caller, c.newPlatform().caller]) {
        const answer = await askToBook(c, slot, { caller })
        answer.refusedWith('slot_unavailable')
        const { usp, ...others } = answer.result ?? {}
        expectTrue(usp !== undefined, '`usp` in the refusal', answer.result)
        expectEqual(Object.keys(others), ['messages'], 'the members of the refusal except `usp`')
      }
    },
    { needs },
  ),
  check(
    'BKG-005',
    'A slot that another platform holds cannot be booked',
    async (c) => {
      const { slot } = await c.hold()
      ;(await askToBook(c, slot, { caller: c.newPlatform().caller })).refusedWith('slot_unavailable')
      bookingOf(await askToBook(c, await c.slot(c.simpleService)))
    },
    { needs: [...needs, 'services.availability'] },
  ),
  check(
    'BKG-013 BKG-014',
    'The server refuses a booking for more people than a slot has free spots, and any booking of a full slot',
    async (c) => {
      c.needsHolds()
      const slot = await c.slot(groupService(c), { where: hasSpots(2) })
      const { remaining } = await spotsOf(c, slot)
      const other = c.newPlatform().caller
      ;(await askForHold(c, slot, { caller: other, input: { spots: remaining - 1 } })).success()
      const tooLarge = await askToBook(c, slot, { input: { party_size: 2 } })
      expectEqual(tooLarge.refusedWith('capacity_exceeded').severity, 'recoverable', 'severity')
      expectEqual((await spotsOf(c, slot)).remaining, 1, 'remaining after the refusal')
      ;(await askForHold(c, slot, { caller: other })).success()
      ;(await askToBook(c, slot)).refusedWith('slot_unavailable')
    },
    { needs: [...needs, 'services.availability'] },
  ),
  check(
    'LIV-011',
    'The server refuses a reservation for fewer people than the minimum',
    async (c) => {
      const minimum = ({ capacity }: Members) => (capacity as { min?: number } | undefined)?.min ?? 1
      const table = c.service('service with a minimum of people', (one) => minimum(one) > 1)
      const slot = await c.slot(table, { party_size: minimum(table) })
      const answer = await askToBook(c, slot, { input: { party_size: minimum(table) - 1 } })
      answer.failsWith('validation_error')
    },
    { needs },
  ),
]
