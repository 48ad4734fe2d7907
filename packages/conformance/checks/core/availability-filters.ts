import { asMembers, type Members } from '../../caller/answer.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual, expectTrue } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import type { Slot } from '../../target/free-slots.ts'
import { check } from '../check.ts'
import { askForHold, hasSpots, spotsOf } from '../transactions/slots-and-bookings.ts'
import { readAll } from './pages.ts'
import { quietTimes } from './quiet-times.ts'
import { isShared, locationIdsOf, optionsOf, resourcesOf } from './service-facts.ts'
import { dateInZone } from './zones.ts'

const needs = ['services.availability']

const slotsOf = async ({ anonymous }: CheckContext, query: Members) =>
  (await readAll(anonymous, 'queryAvailability', query)) as Slot[]

const resourceIdsOf = ({ resources }: Slot): unknown[] =>
  Array.isArray(resources) ? resources.map((resource) => asMembers(resource)?.id) : []

const selectableIdsOf = (service: Members): unknown[] =>
  resourcesOf(service)
    .filter((requirement) => requirement.selectable === true)
    .flatMap(optionsOf)
    .map(({ id }) => id)

/** The query for the day of the first slot. */
function firstDay({ query, slots }: { query: Members; slots: Slot[] }, timezone: unknown): Members {
  const day = dateInZone(Date.parse(slots[0]?.start ?? ''), String(timezone))
  return { ...query, start_date: day, end_date: day }
}

export const availabilityFilterChecks = [
  check(
    'AVL-020 AVL-033',
    'Each selectable resource has its own slots, and a query for the resource returns just these',
    async (c) => {
      const times = await quietTimes(
        c,
        'service with two selectable resources',
        (service) => selectableIdsOf(service).length > 1 && locationIdsOf(service).length < 3,
      )
      const choices = selectableIdsOf(times.service)
      const query = firstDay(times, c.target.business.timezone)
      const all = await slotsOf(c, query)
      for (const slot of all) {
        const chosen = resourceIdsOf(slot).filter((id) => choices.includes(id))
        expectEqual(chosen.length, 1, `the number of selectable resources of the slot ${slot.id}`)
      }
      for (const resource_id of choices.slice(0, 3)) {
        const own = await slotsOf(c, { ...query, resource_id })
        const expected = all.filter((slot) => resourceIdsOf(slot).includes(resource_id))
        expectEqual(
          own.map(({ id }) => id).toSorted(),
          expected.map(({ id }) => id).toSorted(),
          `slots of ${resource_id}`,
        )
      }
    },
    { needs },
  ),
  check(
    'AVL-023',
    'A service without selectable resources has one slot for each time and place',
    async (c) => {
      const isFixed = (one: Members) => one.type === 'appointment' && selectableIdsOf(one).length === 0
      const { service, slots } = await quietTimes(c, 'appointment without selectable resources', isFixed, {
        limit: 200,
      })
      const places = slots.map(({ start, duration, location }) =>
        JSON.stringify([Date.parse(start), duration, asMembers(location)?.id]),
      )
      expectEqual(new Set(places).size, places.length, `the number of different times and places of ${service.id}`)
    },
    { needs },
  ),
  check(
    'AVL-035',
    'A query for a location returns its slots',
    async (c) => {
      const times = await quietTimes(c, 'service with two locations', (one) => locationIdsOf(one).length > 1)
      const query = firstDay(times, c.target.business.timezone)
      const all = await slotsOf(c, query)
      for (const location_id of locationIdsOf(times.service).slice(0, 3)) {
        const own = await slotsOf(c, { ...query, location_id })
        const expected = all.filter(({ location }) => asMembers(location)?.id === location_id)
        expectEqual(
          own.map(({ id }) => id).toSorted(),
          expected.map(({ id }) => id).toSorted(),
          `slots at ${location_id}`,
        )
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
    'A hold takes spots of a group slot, and a larger party no longer finds the slot',
    async (c) => {
      c.needsHolds()
      const slot = await c.slot(c.service('group or reservation', isShared), { where: hasSpots(3) })
      const before = await spotsOf(c, slot)
      ;(await askForHold(c, slot, { input: { spots: 2 } })).success()
      const { remaining, held } = await spotsOf(c, slot)
      expectEqual({ remaining, held }, { remaining: before.remaining - 2, held: before.held + 2 }, 'the spots')
      const { service_id, start, end } = slot
      const offered = async (input: Members) => {
        const slots = await slotsOf(c, { service_id, start_date: start, end_date: end, ...input })
        return slots.some(({ id, state }) => id === slot.id && state !== 'waitlist')
      }
      expectEqual(await offered({}), true, 'whether the slot is offered to one person')
      expectEqual(await offered({ party_size: remaining }), true, `whether it is offered to ${remaining} people`)
      expectEqual(
        await offered({ party_size: remaining + 1 }),
        false,
        `whether it is offered to ${remaining + 1} people`,
      )
    },
    { needs },
  ),
  check(
    'AVL-029',
    'A slot of more than three spots is limited when two of them remain',
    async (c) => {
      c.needsHolds()
      const service = c.service('group or reservation', isShared)
      const slot = await c.slot(service, {
        where: (one) => hasSpots(3)(one) && Number(asMembers(one.capacity)?.total) > 3,
      })
      const { remaining } = await spotsOf(c, slot)
      for (let left = remaining; left > 2; left--) (await askForHold(c, slot)).success()
      const found = await slotsOf(c, { service_id: service.id, start_date: slot.start, end_date: slot.end })
      expectEqual(found.find(({ id }) => id === slot.id)?.state, 'limited', 'the state of the slot')
    },
    { needs },
  ),
  check(
    'AVL-030 LIV-056',
    'A full slot of a service with a waitlist is in the state waitlist',
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
    'A full slot of a service without a waitlist is not offered',
    async (c) => {
      await fill(c, false, (slot) => expectEqual(slot, undefined, 'the full slot'))
    },
    { needs },
  ),
]

/** Holds all spots of a slot, and shows how a query then lists it. */
async function fill(c: CheckContext, hasWaitlist: boolean, inspect: (slot: Slot | undefined) => void): Promise<void> {
  c.needsHolds()
  const fits = (service: Members) =>
    isShared(service) && (asMembers(service.capacity)?.waitlist === true) === hasWaitlist
  const service = c.service(`group or reservation ${hasWaitlist ? 'with' : 'without'} a waitlist`, fits)
  const slot = await c.slot(service)
  const { remaining } = await spotsOf(c, slot)
  const answer = await askForHold(c, slot, { input: { spots: remaining } })
  if (!answer.result?.hold) throw new Skip('No platform can hold all spots of a slot at once.')
  const { service_id, start, end } = slot
  const slots = await slotsOf(c, { service_id, start_date: start, end_date: end })
  expectTrue(
    slots.every(({ id, state }) => id !== slot.id || state === 'waitlist'),
    'no free spot in a slot of which all spots are held',
    slots,
  )
  inspect(slots.find(({ id }) => id === slot.id))
}
