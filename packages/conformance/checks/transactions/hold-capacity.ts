import { isDeepStrictEqual } from 'node:util'
import { asMembers } from '../../caller/answer.ts'
import { expectEqual, expectTrue } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { check } from '../check.ts'
import { sharedService } from './service-kinds.ts'
import {
  askForHold,
  askToBook,
  bookingOf,
  expectOffered,
  hasSpots,
  holdOf,
  listedSlot,
  spotsOf,
} from './slots-and-bookings.ts'

const needs = ['services.availability', 'services.bookings']

export const holdCapacityChecks = [
  check(
    'HLD-014 HLD-015 HLD-018',
    'Holds of one group slot fit beside each other until its spots are taken',
    async (c) => {
      c.needsHolds()
      const slot = await c.slot(
        c.service('group service', ({ type }) => type === 'group'),
        { where: hasSpots(3) },
      )
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
    'A hold takes its spots at once, and a release gives them back at once',
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
    'A hold of one spot cannot be booked for two people, even where room is left',
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
    'A booking of fewer people than its hold has spots gives the others back at once',
    async (c) => {
      c.needsHolds()
      const slot = await c.slot(sharedService(c), { where: hasSpots(3) })
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
    'A rental that is fully held at one time cannot be held at an overlapping time',
    async (c) => {
      c.needsHolds()
      const rental = c.service('rental', ({ type }) => type === 'rental')
      const slot = await c.slot(rental)
      const query = { service_id: rental.id, start_date: slot.start, end_date: slot.end }
      const { slots } = (await c.anonymous.call('queryAvailability', query)).success()
      const overlapping = (slots as (typeof slot)[]).find(
        ({ start, location }) => start > slot.start && isDeepStrictEqual(location, slot.location),
      )
      if (!overlapping) throw new Skip(`No slot of ${rental.id} starts during another one.`)
      // The answer does not say how many vehicles or tools there are, so the check holds them all.
      let answer = await askForHold(c, slot)
      for (let count = 1; count < 12 && answer.result?.hold; count++)
        answer = await askForHold(c, slot, { caller: c.newPlatform().caller })
      answer.refusedWith('slot_unavailable')
      ;(await askForHold(c, overlapping, { caller: c.newPlatform().caller })).refusedWith('slot_unavailable')
      await expectOffered(c, overlapping, false)
    },
    { needs },
  ),
  check(
    'HLD-020',
    'A hold keeps its resource from the slots of other services',
    async (c) => {
      c.needsHolds()
      const { simpleService } = c
      const others = c.services.filter(({ id, type }) => id !== simpleService.id && type === 'appointment')
      const slot = await c.slot(simpleService, { where: ({ resources }) => Array.isArray(resources) })
      const resource = asMembers((slot.resources as unknown[])[0])?.id
      for (const { id } of others) {
        const query = { service_id: id, start_date: slot.start, end_date: slot.end, resource_id: resource }
        const answer = await c.anonymous.call('queryAvailability', query)
        const [other] = (answer.result?.slots ?? []) as (typeof slot)[]
        if (!other) continue
        holdOf(await askForHold(c, slot))
        ;(await askForHold(c, other, { caller: c.newPlatform().caller })).refusedWith('slot_unavailable')
        expectTrue(
          (await listedSlot(c, other)) === undefined,
          'no slot of another service with the held resource',
          other,
        )
        return
      }
      throw new Skip('The catalogue has no second appointment with the same resource.')
    },
    { needs },
  ),
  check(
    'HLD-021',
    'A visit at the buyer’s place has one active hold only',
    async (c) => {
      const visit = c.service('field service', ({ type }) => type === 'field_service')
      const { slot } = await c.hold(visit)
      ;(await askForHold(c, slot, { caller: c.newPlatform().caller })).refusedWith('slot_unavailable')
    },
    { needs },
  ),
]
