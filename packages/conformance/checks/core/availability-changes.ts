import { asMembers, type Members } from '../../caller/answer.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual, expectText, expectTrue } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { days, type Slot } from '../../target/free-slots.ts'
import { check } from '../check.ts'
import { isManual, isPaidAhead, manualService } from '../transactions/service-kinds.ts'
import { askForHold, askToBook, bookingOf, expectOffered } from '../transactions/slots-and-bookings.ts'
import { altered, readAll } from './pages.ts'
import { durationOf, optionsOf, resourcesOf } from './service-facts.ts'

const needs = ['services.availability', 'services.bookings']
const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

const resourceIdsOf = ({ resources }: Slot): unknown[] =>
  Array.isArray(resources) ? resources.map((resource) => asMembers(resource)?.id) : []

/** The slots of a service that start up to three hours before or after a slot. */
async function slotsAround({ anonymous }: CheckContext, slot: Slot, service_id: unknown = slot.service_id) {
  const start_date = new Date(Date.parse(slot.start) - 3 * HOUR_MS).toISOString()
  const end_date = new Date(Date.parse(slot.end) + 3 * HOUR_MS).toISOString()
  return (await readAll(anonymous, 'queryAvailability', { service_id, start_date, end_date })) as Slot[]
}

const isSameResource = (a: Slot, b: Slot) => resourceIdsOf(a).some((id) => resourceIdsOf(b).includes(id))

/** The slots that need a resource of this slot at the same time. */
const conflicting = (slots: Slot[], slot: Slot) =>
  slots.filter(
    (other) =>
      isSameResource(other, slot) &&
      Date.parse(other.start) < Date.parse(slot.end) &&
      Date.parse(slot.start) < Date.parse(other.end),
  )

const selectableIdsOf = (service: Members): unknown[] =>
  resourcesOf(service)
    .filter((requirement) => requirement.selectable === true)
    .flatMap(optionsOf)
    .map(({ id }) => id)

async function expectTaken(c: CheckContext, slot: Slot): Promise<void> {
  const left = conflicting(await slotsAround(c, slot), slot)
  expectEqual(
    left.map(({ id, start }) => ({ id, start })),
    [],
    'the slots that need a resource at a time that is taken',
  )
  await expectOffered(c, slot, false)
}

/** A service that needs a certain person, so that a booked time is gone for the person. */
const isPersonal = (service: Members) => service.type === 'appointment' && selectableIdsOf(service).length > 0

export const availabilityChangeChecks = [
  check(
    'AVL-060 AVL-064 AVL-073 CAT-093',
    'Held and booked time is not offered, and a canceled time is offered at once',
    async (c) => {
      c.needsHolds()
      const service = c.service(
        'personal appointment that is paid later',
        (one) => isPersonal(one) && !isPaidAhead(one),
      )
      const slot = await c.slot(service)
      const { hold } = (await askForHold(c, slot)).success()
      await expectTaken(c, slot)
      const booking = bookingOf(await askToBook(c, slot, { input: { hold_id: asMembers(hold)?.id } }))
      await expectTaken(c, slot)
      ;(await c.caller.call('cancelBooking', { booking_id: booking.id })).success()
      await expectOffered(c, slot, true)
      bookingOf(await askToBook(c, slot))
    },
    { needs },
  ),
  check(
    'AVL-060',
    'Time of a booking that waits for approval is not offered',
    async (c) => {
      const slot = await c.slot(manualService(c))
      const { status } = bookingOf(await askToBook(c, slot))
      expectEqual(status, 'pending', 'status')
      await expectTaken(c, slot)
    },
    { needs },
  ),
  check(
    'AVL-060',
    'Time of a booking that waits for payment is not offered',
    async (c) => {
      const service = c.service('personal appointment that is paid ahead', (one) => {
        return isPersonal(one) && isPaidAhead(one) && !isManual(one)
      })
      const slot = await c.slot(service)
      expectEqual(bookingOf(await askToBook(c, slot)).status, 'requires_action', 'status')
      await expectTaken(c, slot)
    },
    { needs },
  ),
  check(
    'AVL-061',
    'A booking removes the slots of other services that need the same person',
    async (c) => {
      const pairs = c.services
        .filter((one) => isPersonal(one) && !isPaidAhead(one))
        .flatMap((service) =>
          c.services
            .filter((other) => other.id !== service.id)
            .flatMap((other) =>
              selectableIdsOf(service)
                .filter((id) => selectableIdsOf(other).includes(id))
                .map((resource_id) => ({ service, other, resource_id: String(resource_id) })),
            ),
        )
      const [pair] = pairs
      if (!pair) throw new Skip('No two services need the same selectable person.')
      const { service, other, resource_id } = pair
      const slot = await c.slot(service, { resource_id })
      bookingOf(await askToBook(c, slot))
      const left = conflicting(await slotsAround(c, slot, other.id), slot)
      expectEqual(
        left.map(({ id, start }) => ({ id, start })),
        [],
        `the slots of ${other.id} with ${resource_id} at the booked time`,
      )
    },
    { needs },
  ),
  check(
    'AVL-062 CAT-124',
    'Buffers lie outside of the slot, and keep neighboring slots free',
    async (c) => {
      const service = c.service('personal appointment with a buffer', (one) => {
        const { buffer_before, buffer_after, fixed } = durationOf(one)
        return (
          isPersonal(one) && !isPaidAhead(one) && fixed !== undefined && (buffer_before ?? buffer_after) !== undefined
        )
      })
      const { buffer_before, buffer_after, fixed } = durationOf(service)
      const [before, after] = [buffer_before, buffer_after].map((buffer) => (days(buffer) ?? 0) * DAY_MS)
      const slot = await c.slot(service)
      const [start, end] = [Date.parse(slot.start), Date.parse(slot.end)]
      expectEqual(end - start, Math.round((days(fixed) ?? 0) * DAY_MS), 'the milliseconds of the slot')
      bookingOf(await askToBook(c, slot))
      for (const other of (await slotsAround(c, slot)).filter((one) => isSameResource(one, slot))) {
        const isAfter =
          Date.parse(other.start) - Number(before) >= end && Date.parse(other.start) >= end + Number(after)
        const isBefore =
          Date.parse(other.end) + Number(after) <= start && Date.parse(other.end) <= start - Number(before)
        expectTrue(isAfter || isBefore, `no slot within the buffers of ${slot.start} to ${slot.end}`, other)
      }
    },
    { needs },
  ),
  check(
    'AVL-071',
    'An availability query shows nothing of a booking and its buyer',
    async (c) => {
      const buyer = { ...c.buyer(), last_name: 'Qzconformance', phone_number: '+12125550123' }
      const { booking, slot } = await c.book(c.simpleService, { input: { buyer } })
      const { service_id, start, end } = slot
      const day = { start_date: start.slice(0, 10), end_date: end.slice(0, 10) }
      const { text } = await c.anonymous.call('queryAvailability', { service_id, ...day })
      for (const secret of [booking.id, buyer.last_name, buyer.phone_number, (buyer as Members).email])
        expectTrue(!text.includes(String(secret)), 'no data of the booking', `the text ${secret}`)
    },
    { needs },
  ),
  check(
    'AVL-073',
    'The id of a free slot is good for a reschedule',
    async (c) => {
      const { booking } = await c.book()
      const slot = await c.slot(c.simpleService)
      const input = { booking_id: booking.id, slot_id: slot.id }
      const moved = bookingOf(await c.caller.call('reschedule', input))
      expectEqual(Date.parse(String(asMembers(moved.slot)?.start)), Date.parse(slot.start), 'the start of the booking')
    },
    { needs },
  ),
  check(
    'AVL-074',
    'A slot id that the server did not offer is refused',
    async (c) => {
      c.needsHolds()
      const slot = await c.slot(c.simpleService)
      const unknown = { ...slot, id: altered(slot.id) }
      ;(await askForHold(c, unknown)).refusedWith('slot_unavailable')
      ;(await askToBook(c, unknown)).refusedWith('slot_unavailable')
    },
    { needs },
  ),
  check(
    'CAT-093',
    'Answers about availability and bookings must not be stored',
    async (c) => {
      const { booking, slot } = await c.book()
      const query = { service_id: slot.service_id, start_date: slot.start, end_date: slot.end }
      const answers = [
        await c.anonymous.call('queryAvailability', query),
        await c.caller.call('getBooking', { booking_id: booking.id }),
      ]
      for (const { headers } of answers)
        expectTrue(headers['cache-control']?.includes('no-store') ?? false, 'no-store', headers['cache-control'])
    },
    { needs, only: 'rest' },
  ),
  check(
    'AVL-075',
    'A business whose slots can be held says so in its profile',
    async (c) => {
      const slot = await c.slot(c.simpleService)
      const answer = await askForHold(c, slot)
      const isHeld = asMembers(answer.result?.hold) !== undefined
      expectEqual(c.target.capability('services.availability')?.holds === true, isHeld, 'holds in the capability')
      if (isHeld) expectText(asMembers(answer.result?.hold)?.id, 'the id of the hold')
    },
    { needs },
  ),
]
