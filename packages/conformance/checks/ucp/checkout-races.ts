import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer, Members } from '../../caller/answer.ts'
import type { CheckContext, Platform } from '../../run/check-context.ts'
import { expectEqual, expectMembers, expectTrue } from '../../run/expectations.ts'
import type { Slot } from '../../target/free-slots.ts'
import { check } from '../check.ts'
import { PLATFORMS, untilGranted } from '../transactions/simultaneous-calls.ts'
import { askForHold, expectOffered, readBooking } from '../transactions/slots-and-bookings.ts'
import { openWithHold, release } from './checkout-hold-steps.ts'
import {
  askForCheckout,
  type Checkout,
  expectMessage,
  needs as ofCheckouts,
  readCheckout,
  serviceWith,
  unpaidService,
} from './checkout-steps.ts'
import { completionWith } from './payment-instruments.ts'
import type { UcpCaller } from './ucp-caller.ts'
import { expectNotBooked } from './unfinished-checkout.ts'

const options = { needs: [...ofCheckouts, 'services.bookings'] }
const MAX_SETTLING_MS = 30_000
const PAUSE_MS = 250
/** In milliseconds. The hold ends within this time after the start of the completion. */
const MAX_DELAY_MS = 40

type Completion = (checkout: Checkout) => Members

/** Reads the checkout until the business has settled its payment. */
async function settled(checkouts: UcpCaller, id: string): Promise<Checkout> {
  for (const end = Date.now() + MAX_SETTLING_MS; ; await sleep(PAUSE_MS)) {
    const checkout = await readCheckout(checkouts, id)
    if (checkout.status !== 'complete_in_progress' || Date.now() > end) return checkout
  }
}

const isTaken = ({ result }: Answer): boolean => result?.hold !== undefined || result?.status === 'ready_for_complete'

/** Every second rival asks for a hold of the slot. The others ask for a checkout. */
function tryToTake(c: CheckContext, slot: Slot, platform: Platform, nth: number): Promise<Answer> {
  const ask = () => {
    return nth % 2 === 0 ? askForHold(c, slot, { caller: platform.caller }) : askForCheckout(c, slot, { platform })
  }
  return untilGranted(ask, { isEnough: isTaken })
}

/**
 * Ends the hold of a checkout while its platform completes it, and while rivals want its slot: the vectors flow/101 and
 * flow/104. Requires that the checkout is completed with a booking. Otherwise the checkout must be open, and at most one
 * rival may have the slot.
 */
export async function raceForHeldSlot(
  c: CheckContext,
  service: Members,
  { rivals, completion }: { rivals: Platform[]; completion: Completion },
): Promise<void> {
  const { hold, slot, checkout, checkouts, id } = await openWithHold(c, service)
  const input = { id, checkout: completion(checkout) }
  const key = { idempotencyKey: randomUUID() }
  const complete = () => checkouts.call('completeCheckout', input, key)
  const [completed, attempts] = await Promise.all([
    complete(),
    Promise.all(rivals.map((rival, nth) => tryToTake(c, slot, rival, nth))),
    sleep(Math.random() * MAX_DELAY_MS).then(() => release(c, hold)),
  ])
  expectTrue(completed.status < 500, 'no internal error', `HTTP ${completed.status} ${completed.text}`)
  const { status, booking, order } = await settled(checkouts, id)
  const taken = attempts.filter(isTaken).length
  if (status === 'completed') {
    expectEqual(taken, 0, 'the number of other platforms that got the slot')
    expectMembers(order, 'order')
    const { status: booked } = await readBooking(c, { id: booking.booking_id })
    expectEqual([booking.booking_status, booked], ['confirmed', 'confirmed'], 'the statuses of the booking')
    await expectOffered(c, slot, false)
  } else {
    expectTrue(taken <= 1, 'at most one other platform that got the slot', taken)
    expectMessage(completed, 'hold_expired', 'slot_unavailable')
    await expectNotBooked(c, checkouts, checkout)
    await expectOffered(c, slot, taken === 0)
  }
  await complete()
  const again = await settled(checkouts, id)
  expectEqual([again.status, again.order], [status, order], 'the status and order after a repeated completion')
}

const newRivals = (c: CheckContext): Platform[] => Array.from({ length: PLATFORMS }, () => c.newPlatform())

export const checkoutRaceChecks = [
  check(
    'LIV-112 LIV-118 HLD-036',
    'If a hold ends during the completion of its checkout, the checkout or one other platform gets the slot (flow/101)',
    (c) => raceForHeldSlot(c, unpaidService(c), { rivals: newRivals(c), completion: () => ({}) }),
    options,
  ),
  check(
    'LIV-112 LIV-114 LIV-115 LIV-118',
    'If a hold ends while its checkout is paid, the checkout ends with its booking, or open without one (flow/104)',
    (c) =>
      raceForHeldSlot(c, serviceWith(c, 'at_booking'), {
        rivals: newRivals(c),
        completion: (checkout) => completionWith(c, checkout),
      }),
    options,
  ),
]
