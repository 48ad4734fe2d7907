import { expectEqual, expectMembers, expectText } from '../../run/expectations.ts'
import { channelOf, isManual, isPaidAhead, policiesOf } from '../../target/service-kinds.ts'
import { check } from '../check.ts'
import { readBooking, staffAction } from '../transactions/slots-and-bookings.ts'
import {
  checkoutOf,
  isPlain,
  needs as ofCheckouts,
  openCheckout,
  readCheckout,
  readOrder,
  soldService,
} from './checkout-steps.ts'

const needs = [...ofCheckouts, 'services.bookings']

export const checkoutCompletionChecks = [
  check(
    'PAY-084 BKG-062 CAT-109',
    'A completed checkout of a free service has a confirmed booking without payment',
    async (c) => {
      const service = soldService(c, 'free appointment that is confirmed at once', (one) => {
        return one.type === 'appointment' && isPlain(one) && policiesOf(one).requires_payment === false
      })
      const { slot, checkouts, checkout, id } = await openCheckout(c, service)
      const done = checkoutOf(await checkouts.call('completeCheckout', { id }))
      expectEqual([done.status, done.booking.booking_status], ['completed', 'confirmed'], 'the statuses')
      expectEqual(done.booking.booking_id, checkout.booking.booking_id, 'booking_id')
      const booking = await readBooking(c, { id: done.booking.booking_id })
      expectEqual([booking.status, booking.payment], ['confirmed', undefined], 'status and payment of the booking')
      expectEqual(expectMembers(booking.slot, 'slot').id, slot.id, 'id of the slot')
    },
    { needs },
  ),
  check(
    'LIV-128 LIV-115',
    'A completed checkout has an order, which its platform can read, and reads as it was completed',
    async (c) => {
      const { checkouts, checkout, id } = await openCheckout(c)
      const done = checkoutOf(await checkouts.call('completeCheckout', { id }))
      expectEqual(done.status, 'completed', 'status')
      const order = expectMembers(done.order, 'order')
      expectText(order.permalink_url, 'permalink_url of the order')
      const read = await readOrder(checkouts, done)
      expectEqual([read.id, read.checkout_id], [order.id, id], 'id and checkout_id of the order')
      expectEqual(read.totals, checkout.totals, 'totals of the order')
      const now = await readCheckout(checkouts, id)
      expectEqual([now.status, now.order, now.booking], [done.status, done.order, done.booking], 'the checkout')
    },
    { needs: [...needs, 'dev.ucp.shopping.order'] },
  ),
  check(
    'LIV-070 BKG-073',
    'The booking of a completed checkout waits for the approval that its service needs',
    async (c) => {
      const confirm = staffAction(c, 'confirm')
      const service = soldService(c, 'service in manual mode without payment ahead', (one) => {
        return isManual(one) && !isPaidAhead(one) && channelOf(one) !== 'at_buyer_location'
      })
      const { checkouts, id } = await openCheckout(c, service)
      const done = checkoutOf(await checkouts.call('completeCheckout', { id }))
      expectEqual([done.status, done.booking.booking_status], ['completed', 'pending'], 'the statuses')
      const booking = { id: done.booking.booking_id }
      expectEqual((await readBooking(c, booking)).status, 'pending', 'status of the booking')
      await confirm(booking.id)
      expectEqual((await readBooking(c, booking)).status, 'confirmed', 'status after the approval')
    },
    { needs },
  ),
]
