import { asMembers, type Members } from '../../caller/answer.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual, expectText, expectTrue } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { millisecondsOf, type Slot } from '../../target/free-slots.ts'
import { isManual, isPaidAhead, manualService } from '../../target/service-kinds.ts'
import { check } from '../check.ts'
import {
  askForHold,
  askToBook,
  askToMove,
  bookingOf,
  cancelBooking,
  expectOffered,
} from '../transactions/slots-and-bookings.ts'
import { allSlots, altered } from './pages.ts'
import { durationOf, idsOf, resourcesOf, selectableIdsOf } from './service-facts.ts'

const needs = ['services.availability', 'services.bookings']
const HOUR_MS = 3_600_000

/** Returns the slots of a service from three hours before a slot until three hours after it. */
async function slotsAround({ anonymous }: CheckContext, slot: Slot, service_id: unknown = slot.service_id) {
  const start_date = new Date(Date.parse(slot.start) - 3 * HOUR_MS).toISOString()
  const end_date = new Date(Date.parse(slot.end) + 3 * HOUR_MS).toISOString()
  return allSlots(anonymous, { service_id, start_date, end_date })
}

const shareResource = (a: Slot, b: Slot) => idsOf(resourcesOf(a)).some((id) => idsOf(resourcesOf(b)).includes(id))

/** Requires that no slot of the service overlaps this slot and needs the same person, room or item. */
async function expectNoConflict(c: CheckContext, slot: Slot, service_id?: unknown): Promise<void> {
  const conflicts = (await slotsAround(c, slot, service_id)).filter(
    (other) =>
      shareResource(other, slot) &&
      Date.parse(other.start) < Date.parse(slot.end) &&
      Date.parse(slot.start) < Date.parse(other.end),
  )
  expectEqual(
    conflicts.map(({ id, service_id, start }) => ({ id, service_id, start })),
    [],
    `the slots that need a resource of ${slot.id} at the same time`,
  )
}

async function expectTaken(c: CheckContext, slot: Slot): Promise<void> {
  await expectNoConflict(c, slot)
  await expectOffered(c, slot, false)
}

/** Whether the service is an appointment for which the buyer can select a resource, mostly a person. */
const isPersonal = (service: Members) => service.type === 'appointment' && selectableIdsOf(service).length > 0

export const availabilityChangeChecks = [
  check(
    'AVL-060 AVL-064 AVL-073 CAT-093',
    'The server offers no held or booked time, and offers a canceled time again at once',
    async (c) => {
      c.needsHolds()
      const service = c.service(
        'appointment with selectable resources and without payment in advance',
        (one) => isPersonal(one) && !isPaidAhead(one),
      )
      const slot = await c.slot(service)
      const { hold } = (await askForHold(c, slot)).success()
      await expectTaken(c, slot)
      const booking = bookingOf(await askToBook(c, slot, { input: { hold_id: asMembers(hold)?.id } }))
      await expectTaken(c, slot)
      await cancelBooking(c, booking)
      await expectOffered(c, slot, true)
      bookingOf(await askToBook(c, slot))
    },
    { needs },
  ),
  check(
    'AVL-060',
    'The server does not offer the time of a booking that waits for approval',
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
    'The server does not offer the time of a booking that waits for payment',
    async (c) => {
      const service = c.service(
        'appointment with selectable resources and payment in advance',
        (one) => isPersonal(one) && isPaidAhead(one) && !isManual(one),
      )
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
      await expectNoConflict(c, slot, other.id)
    },
    { needs },
  ),
  check(
    'AVL-062 CAT-124',
    'The buffers of a booking are outside of its slot, and no other slot overlaps them',
    async (c) => {
      const service = c.service('appointment with selectable resources and a buffer', (one) => {
        const { buffer_before, buffer_after, fixed } = durationOf(one)
        return (
          isPersonal(one) && !isPaidAhead(one) && fixed !== undefined && (buffer_before ?? buffer_after) !== undefined
        )
      })
      const { buffer_before, buffer_after, fixed } = durationOf(service)
      const gap = Math.max(millisecondsOf(buffer_before), millisecondsOf(buffer_after))
      const slot = await c.slot(service)
      const [start, end] = [Date.parse(slot.start), Date.parse(slot.end)]
      expectEqual(end - start, Math.round(millisecondsOf(fixed)), 'the length of the slot in milliseconds')
      bookingOf(await askToBook(c, slot))
      for (const other of (await slotsAround(c, slot)).filter((one) => shareResource(one, slot))) {
        const isApart = Date.parse(other.start) >= end + gap || Date.parse(other.end) <= start - gap
        expectTrue(isApart, `no slot within the buffers of ${slot.start} to ${slot.end}`, other)
      }
    },
    { needs },
  ),
  check(
    'AVL-071',
    'An availability query shows no data of a booking or its buyer',
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
    'A reschedule accepts the id of a free slot',
    async (c) => {
      const { booking } = await c.book()
      const slot = await c.slot(c.simpleService)
      const moved = bookingOf(await askToMove(c, booking, slot))
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
    'Answers about availability and bookings have no-store in Cache-Control',
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
    'The profile says whether the business offers holds',
    async (c) => {
      const slot = await c.slot(c.simpleService)
      const answer = await askForHold(c, slot)
      const hold = asMembers(answer.result?.hold)
      const { holds } = c.target.capability('services.availability') ?? {}
      expectEqual(holds === true, hold !== undefined, 'holds in the capability')
      if (hold) expectText(hold.id, 'the id of the hold')
    },
    { needs },
  ),
]
