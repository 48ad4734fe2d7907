import { randomUUID } from 'node:crypto'
import { asMembers } from '../../caller/answer.ts'
import { expectEqual, expectInstant, expectMembers, expectTrue } from '../../run/expectations.ts'
import { channelOf, isConfirmedAtOnce, isShared } from '../../target/service-kinds.ts'
import { check } from '../check.ts'
import { askToBook, bookingOf, expectOffered, UNKNOWN_HOLD } from '../transactions/slots-and-bookings.ts'
import {
  askForCheckout,
  checkoutOf,
  checkoutRequest,
  checkoutsOf,
  expectInvalid,
  expectMessage,
  needs,
  openCheckout,
  readCheckout,
  soldService,
  unpaidService,
} from './checkout-steps.ts'
import { expectHeld, expectNotBooked } from './unfinished-checkout.ts'

export const checkoutCreationChecks = [
  check(
    'HLD-012 LIV-054',
    'A new checkout holds its slot until it expires, and reads as it was created',
    async (c) => {
      const { slot, checkout, checkouts } = await openCheckout(c)
      await expectHeld(c, slot)
      const expiresAt = expectInstant(checkout.expires_at, 'expires_at')
      expectTrue(expiresAt > Date.now(), 'an expires_at in the future', checkout.expires_at)
      const { messages: _, ...read } = await readCheckout(checkouts, checkout.id)
      const { messages: __, ...created } = checkout
      expectEqual(read, created, 'the checkout')
    },
    { needs },
  ),
  check(
    'BKG-020',
    'The booking of a new checkout is pending, and has the slot that the platform chose',
    async (c) => {
      const { slot, service, checkout, checkouts } = await openCheckout(c)
      const { booking } = checkout
      c.schemas.expectValid('paid_bookings#BookingContext', booking, 'booking')
      const { id, start, end, duration } = slot
      expectEqual(booking.slot, { id, start, end, duration }, 'booking.slot')
      expectEqual([booking.service_id, booking.service_type], [service.id, service.type], 'the service of the booking')
      expectEqual(booking.booking_status, 'pending', 'booking_status')
      await expectNotBooked(c, checkouts, checkout)
    },
    { needs },
  ),
  check(
    'LIV-112 HLD-007',
    'A slot that another platform has booked gets no checkout',
    async (c) => {
      const slot = await c.slot(c.simpleService)
      bookingOf(await askToBook(c, slot, { caller: c.newPlatform().caller }))
      const answer = await askForCheckout(c, slot)
      expectMessage(answer, 'slot_unavailable')
      expectTrue(answer.result?.status !== 'ready_for_complete', 'no checkout to complete', answer.result?.status)
    },
    { needs: [...needs, 'services.bookings'] },
  ),
  check(
    'LIV-112',
    'A checkout for more people than the slot has room for is refused',
    async (c) => {
      const service = soldService(c, 'group or reservation service', isShared)
      const slot = await c.slot(service)
      const remaining = Number(expectMembers(slot.capacity, 'capacity').remaining)
      const answer = await askForCheckout(c, slot, { changes: { booking: { party_size: remaining + 1 } } })
      expectMessage(answer, 'capacity_exceeded', 'slot_unavailable')
      expectTrue(answer.result?.status !== 'ready_for_complete', 'no checkout to complete', answer.result?.status)
      await expectOffered(c, slot, true)
    },
    { needs },
  ),
  check(
    'LIV-063',
    'A checkout with an unknown hold is refused, and holds nothing',
    async (c) => {
      const slot = await c.slot(unpaidService(c))
      expectInvalid(await askForCheckout(c, slot, { changes: { booking: { hold_id: UNKNOWN_HOLD } } }))
      await expectOffered(c, slot, true)
    },
    { needs },
  ),
  check(
    'LIV-120',
    'A checkout of a visit to the buyer is complete only with the address of the buyer',
    async (c) => {
      const service = soldService(c, 'visit to the buyer that is confirmed at once', (one) => {
        return channelOf(one) === 'at_buyer_location' && isConfirmedAtOnce(one)
      })
      const slot = await c.slot(service)
      const refused = await askForCheckout(c, slot, { changes: { booking: { delivery_address: undefined } } })
      if (refused.result?.id === undefined) {
        expectTrue((refused.refusal ?? refused.error) !== undefined, 'a refusal', refused.text)
        return
      }
      const { id, status } = checkoutOf(refused)
      expectEqual(status, 'incomplete', 'status without an address')
      const request = checkoutRequest(c, slot)
      const updated = checkoutOf(await checkoutsOf(c).call('updateCheckout', { id, checkout: request }))
      expectEqual(updated.status, 'ready_for_complete', 'status with an address')
      const sent = asMembers(request.booking)?.delivery_address
      expectEqual(updated.booking.delivery_address, sent, 'delivery_address')
    },
    { needs },
  ),
  check(
    'IDM-004 IDM-007',
    'A creation with the same idempotency key returns the first checkout, and with other contents a conflict',
    async (c) => {
      const slot = await c.slot(unpaidService(c))
      const [buyer, options] = [c.buyer(), { idempotencyKey: randomUUID() }]
      const first = checkoutOf(await askForCheckout(c, slot, { changes: { buyer }, options }))
      const again = checkoutOf(await askForCheckout(c, slot, { changes: { buyer }, options }))
      expectEqual(again, first, 'the checkout in the second answer')
      const other = await askForCheckout(c, slot, { changes: { buyer: c.buyer() }, options })
      other.failsWith('idempotency_conflict', { rest: 409, mcp: [-32000, -32602] })
    },
    { needs },
  ),
]
