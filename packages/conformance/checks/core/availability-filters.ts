import { asMembers, type Members } from '../../caller/answer.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual, expectTrue } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import type { Slot } from '../../target/free-slots.ts'
import { groupService, isShared } from '../../target/service-kinds.ts'
import { check } from '../check.ts'
import { askForHold, hasSpots, spotsOf } from '../transactions/slots-and-bookings.ts'
import { allSlots } from './pages.ts'
import { firstDayQuery, quietTimes } from './quiet-times.ts'
import { capacityOf, idsOf, locationIdsOf, resourcesOf, selectableIdsOf } from './service-facts.ts'

const needs = ['services.availability']

const sortedIds = (slots: Slot[]) => idsOf(slots).toSorted()

export const availabilityFilterChecks = [
  check(
    'AVL-020 AVL-033',
    'Each slot belongs to one selectable resource, and a query for a resource returns only its slots',
    async (c) => {
      const times = await quietTimes(
        c,
        'service with two selectable resources',
        (service) => selectableIdsOf(service).length > 1 && locationIdsOf(service).length < 3,
      )
      const choices = selectableIdsOf(times.service)
      const query = firstDayQuery(c, times)
      const all = await allSlots(c.anonymous, query)
      for (const slot of all) {
        const chosen = idsOf(resourcesOf(slot)).filter((id) => choices.includes(id))
        expectEqual(chosen.length, 1, `the number of selectable resources of the slot ${slot.id}`)
      }
      for (const resource_id of choices.slice(0, 3)) {
        const own = await allSlots(c.anonymous, { ...query, resource_id })
        const expected = all.filter((slot) => idsOf(resourcesOf(slot)).includes(resource_id))
        expectEqual(sortedIds(own), sortedIds(expected), `slots of ${resource_id}`)
      }
    },
    { needs },
  ),
  check(
    'AVL-023',
    'A service without selectable resources has only one slot for each time and location',
    async (c) => {
      const isFixed = (one: Members) => one.type === 'appointment' && selectableIdsOf(one).length === 0
      const { service, slots } = await quietTimes(c, 'appointment without selectable resources', isFixed, {
        limit: 200,
      })
      const places = slots.map(({ start, duration, location }) =>
        JSON.stringify([Date.parse(start), duration, asMembers(location)?.id]),
      )
      expectEqual(new Set(places).size, places.length, `the number of different times and locations of ${service.id}`)
    },
    { needs },
  ),
  check(
    'AVL-035',
    'A query for a location returns the slots at this location',
    async (c) => {
      const times = await quietTimes(c, 'service with two locations', (one) => locationIdsOf(one).length > 1)
      const query = firstDayQuery(c, times)
      const all = await allSlots(c.anonymous, query)
      for (const location_id of locationIdsOf(times.service).slice(0, 3)) {
        const own = await allSlots(c.anonymous, { ...query, location_id })
        const expected = all.filter(({ location }) => asMembers(location)?.id === location_id)
        expectEqual(sortedIds(own), sortedIds(expected), `slots at ${location_id}`)
      }
    },
    { needs },
  ),
  check(
    'AVL-034',
    'A query for an unknown resource or location returns no slots',
    async (c) => {
      const { query } = await quietTimes(c, 'service')
      for (const filter of [{ resource_id: 'conformance_none' }, { location_id: 'conformance_none' }]) {
        const answer = await c.anonymous.call('queryAvailability', { ...query, ...filter })
        expectEqual(answer.success().slots, [], `the slots for ${JSON.stringify(filter)}`)
      }
    },
    { needs },
  ),
  check(
    'AVL-027 AVL-037',
    'A hold takes spots of a group slot, and a query for more people than are left does not find the slot',
    async (c) => {
      c.needsHolds()
      const slot = await c.slot(groupService(c), { where: hasSpots(3) })
      const before = await spotsOf(c, slot)
      ;(await askForHold(c, slot, { input: { spots: 2 } })).success()
      const { remaining, held } = await spotsOf(c, slot)
      expectEqual({ remaining, held }, { remaining: before.remaining - 2, held: before.held + 2 }, 'the spots')
      const { service_id, start, end } = slot
      const offered = async (input: Members) => {
        const slots = await allSlots(c.anonymous, { service_id, start_date: start, end_date: end, ...input })
        return slots.some(({ id, state }) => id === slot.id && state !== 'waitlist')
      }
      expectEqual(await offered({}), true, 'the offer of the slot to one person')
      expectEqual(await offered({ party_size: remaining }), true, `the offer of the slot to ${remaining} people`)
      expectEqual(
        await offered({ party_size: remaining + 1 }),
        false,
        `the offer of the slot to ${remaining + 1} people`,
      )
    },
    { needs },
  ),
  check(
    'AVL-029',
    'A slot with more than three spots has the state limited when two spots remain',
    async (c) => {
      c.needsHolds()
      const service = groupService(c)
      const slot = await c.slot(service, {
        where: (one) => hasSpots(3)(one) && Number(asMembers(one.capacity)?.total) > 3,
      })
      const { remaining } = await spotsOf(c, slot)
      for (let left = remaining; left > 2; left--) (await askForHold(c, slot)).success()
      const found = await allSlots(c.anonymous, { service_id: service.id, start_date: slot.start, end_date: slot.end })
      expectEqual(found.find(({ id }) => id === slot.id)?.state, 'limited', 'the state of the slot')
    },
    { needs },
  ),
  check(
    'AVL-030 LIV-056',
    'A full slot of a service with a waitlist has the state waitlist',
    async (c) => {
      await fill(c, true, (slot) => {
        expectEqual(slot?.state, 'waitlist', 'the state of the full slot')
        expectEqual(asMembers(slot?.capacity)?.waitlist, true, 'capacity.waitlist of the full slot')
      })
    },
    { needs: [...needs, 'services.waitlist'] },
  ),
  check(
    'AVL-032',
    'The server does not offer a full slot of a service without a waitlist',
    async (c) => {
      await fill(c, false, (slot) => expectEqual(slot, undefined, 'the full slot'))
    },
    { needs },
  ),
]

/** Holds all spots of a slot. Then queries the availability again, and passes the slot of the answer to `inspect`. */
async function fill(c: CheckContext, hasWaitlist: boolean, inspect: (slot: Slot | undefined) => void): Promise<void> {
  c.needsHolds()
  const service = c.service(
    `group or reservation ${hasWaitlist ? 'with' : 'without'} a waitlist`,
    (one) => isShared(one) && (capacityOf(one).waitlist === true) === hasWaitlist,
  )
  const slot = await c.slot(service)
  const { remaining } = await spotsOf(c, slot)
  const answer = await askForHold(c, slot, { input: { spots: remaining } })
  if (!answer.result?.hold) throw new Skip('The server did not let the platform hold all spots of a slot.')
  const { service_id, start, end } = slot
  const slots = await allSlots(c.anonymous, { service_id, start_date: start, end_date: end })
  expectTrue(
    slots.every(({ id, state }) => id !== slot.id || state === 'waitlist'),
    'no free spot in the full slot',
    slots,
  )
  inspect(slots.find(({ id }) => id === slot.id))
}
