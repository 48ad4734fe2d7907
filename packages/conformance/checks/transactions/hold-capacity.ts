import { expectEqual, expectTrue } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import type { Slot } from '../../target/free-slots.ts'
import { groupService, sharedService } from '../../target/service-kinds.ts'
import { check } from '../check.ts'
import {
  askForHold,
  askToBook,
  bookingOf,
  expectOffered,
  expectTaken,
  firstResourceOf,
  hasResources,
  hasSpots,
  holdOf,
  listedSlot,
  overlappingSlot,
  spotsOf,
} from './slots-and-bookings.ts'

const needs = ['services.availability', 'services.bookings']

export const holdCapacityChecks = [
  check(
    'HLD-014 HLD-015 HLD-018',
    'A group slot accepts several holds until its spots are taken',
    async (c) => {
      c.needsHolds()
      const slot = await c.slot(groupService(c), { where: hasSpots(3) })
      holdOf(await askForHold(c, slot))
      holdOf(await askForHold(c, slot, { caller: c.newPlatform().caller }))
      const before = await spotsOf(c, slot)
      const tooMany = await askForHold(c, slot, { input: { spots: before.remaining + 1 } })
      tooMany.refusedWith('slot_unavailable')
      expectEqual(await spotsOf(c, slot), before, 'the spots after a refused hold')
    },
    { needs },
  ),
  check(
    'HLD-016 HLD-017',
    'A hold takes its spots at once, and a release frees them at once',
    async (c) => {
      c.needsHolds()
      const slot = await c.slot(sharedService(c), { where: hasSpots(2) })
      const before = await spotsOf(c, slot)
      const hold = holdOf(await askForHold(c, slot, { input: { spots: 2 } }))
      expectEqual(hold.spots, 2, 'spots')
      const held = { remaining: before.remaining - 2, held: before.held + 2 }
      expectEqual(await spotsOf(c, slot), held, 'the spots after a hold of two')
      ;(await c.caller.call('release', { hold_id: hold.id })).success()
      expectEqual(await spotsOf(c, slot), before, 'the spots after the release')
    },
    { needs },
  ),
  check(
    'HLD-035',
    'The spots of a hold that became a booking no longer count as held',
    async (c) => {
      c.needsHolds()
      const slot = await c.slot(sharedService(c), { where: hasSpots(2) })
      const before = await spotsOf(c, slot)
      const hold = holdOf(await askForHold(c, slot, { input: { spots: 2 } }))
      bookingOf(await askToBook(c, slot, { input: { hold_id: hold.id, party_size: 2 } }))
      const booked = { remaining: before.remaining - 2, held: before.held }
      expectEqual(await spotsOf(c, slot), booked, 'the spots after the booking')
    },
    { needs },
  ),
  check(
    'LIV-057',
    'A hold of one spot cannot be booked for two people, even if more spots are free',
    async (c) => {
      c.needsHolds()
      const slot = await c.slot(sharedService(c), { where: hasSpots(3) })
      const hold = holdOf(await askForHold(c, slot))
      const before = await spotsOf(c, slot)
      const refused = await askToBook(c, slot, { input: { hold_id: hold.id, party_size: 2 } })
      refused.refusedWith('capacity_exceeded')
      expectEqual(await spotsOf(c, slot), before, 'the spots after the refusal')
      bookingOf(await askToBook(c, slot, { input: { hold_id: hold.id, party_size: 1 } }))
    },
    { needs },
  ),
  check(
    'LIV-058',
    'A booking for fewer people than its hold has spots frees the other spots at once',
    async (c) => {
      c.needsHolds()
      const slot = await c.slot(groupService(c), { where: hasSpots(3) })
      const before = await spotsOf(c, slot)
      const hold = holdOf(await askForHold(c, slot, { input: { spots: 3 } }))
      bookingOf(await askToBook(c, slot, { input: { hold_id: hold.id, party_size: 1 } }))
      const booked = { remaining: before.remaining - 1, held: before.held }
      expectEqual(await spotsOf(c, slot), booked, 'the spots after the booking')
    },
    { needs },
  ),
  check(
    'HLD-019',
    'A fully held rental cannot be held at an overlapping time',
    async (c) => {
      c.needsHolds()
      const rental = c.service('rental', ({ type }) => type === 'rental')
      const slot = await c.slot(rental)
      const overlapping = await overlappingSlot(c, slot, 'location')
      // The answer does not say how many vehicles or tools exist. Therefore the check makes holds until the server
      // refuses one.
      let answer = await askForHold(c, slot)
      for (let count = 1; count < 12 && answer.result?.hold; count++)
        answer = await askForHold(c, slot, { caller: c.newPlatform().caller })
      answer.refusedWith('slot_unavailable')
      await expectTaken(c, overlapping)
      await expectOffered(c, overlapping, false)
    },
    { needs },
  ),
  check(
    'HLD-020',
    'A hold removes the slots of other services that need the same resource',
    async (c) => {
      c.needsHolds()
      const { simpleService } = c
      const others = c.services.filter(({ id, type }) => id !== simpleService.id && type === 'appointment')
      const slot = await c.slot(simpleService, { where: hasResources })
      const resource_id = firstResourceOf(slot)
      for (const { id } of others) {
        const query = { service_id: id, start_date: slot.start, end_date: slot.end, resource_id }
        const answer = await c.anonymous.call('queryAvailability', query)
        const [other] = (answer.result?.slots ?? []) as Slot[]
        if (!other) continue
        holdOf(await askForHold(c, slot))
        await expectTaken(c, other)
        expectTrue(
          (await listedSlot(c, other)) === undefined,
          'no slot of another service with the held resource',
          other,
        )
        return
      }
      throw new Skip('The catalogue has no second appointment that needs the same resource.')
    },
    { needs },
  ),
  check(
    'HLD-021',
    'A visit to the buyer has at most one active hold',
    async (c) => {
      const visit = c.service('field service', ({ type }) => type === 'field_service')
      const { slot } = await c.hold(visit)
      await expectTaken(c, slot)
    },
    { needs },
  ),
]
