import type { Members } from '../caller/answer.ts'
import { type Check, check } from '../checks/check.ts'
import type { CheckContext } from '../run/check-context.ts'
import { expectEqual, expectTrue } from '../run/expectations.ts'
import type { Slot } from '../target/free-slots.ts'
import { Rival, type Won } from './competing-caller.ts'

const RIVALS = 50
/**
 * The number of rivals that move a booking to the slot, and the number that hold the slot first. The others book at
 * once.
 */
const MOVERS = 2
const HOLDERS = 10

/**
 * Defines a check in which rivals hold, book and move to the same slots, one slot in each round. The check then
 * compares their answers with the bookings that the server shows.
 */
export const raceCheck = (rounds: number): Check =>
  check(
    'BKG-006 HLD-013 HLD-036 BKG-116',
    'Of many platforms that want the same slot, exactly one gets it',
    async (c) => {
      const rivals = Array.from({ length: RIVALS }, () => new Rival(c.newPlatform().caller))
      for (let round = 1; round <= rounds; round++) {
        // The recorded requests of all rounds would fill the memory.
        c.exchanges.length = 0
        await raceForSlot(c, rivals)
        if (round % 100 === 0) console.log(`The platforms have competed for ${round} slots.`)
      }
    },
    { once: true, isAlone: true, needs: ['services.bookings'] },
  )

async function raceForSlot(c: CheckContext, rivals: Rival[]): Promise<void> {
  const service = c.simpleService
  const { slot, giveBack } = await c.takeSlot(service)
  await Promise.all(rivals.slice(0, MOVERS).map((mover) => park(c, mover, service)))
  const won = (await Promise.all(rivals.map((rival, nth) => tryToGet(c, slot, rival, nth)))).filter(
    (result) => result !== undefined,
  )
  try {
    expectEqual(won.length, 1, `the number of platforms that got the slot ${slot.id}`)
    for (const { rival, bookingId } of won) await expectBooked(rival, bookingId, slot)
    const query = { service_id: service.id, start_date: slot.start, end_date: slot.end }
    const { slots = [] } = (await c.anonymous.call('queryAvailability', query)).success()
    const offered = (slots as Slot[]).find(({ id }) => id === slot.id)
    expectTrue(!offered, `no offer of the booked slot ${slot.id}`, offered)
  } finally {
    await Promise.all(won.map(({ rival, bookingId }) => rival.caller.call('cancelBooking', { booking_id: bookingId })))
    giveBack()
  }
}

function tryToGet(c: CheckContext, slot: Slot, rival: Rival, nth: number): Promise<Won | undefined> {
  const wanted = { service_id: slot.service_id, slot_id: slot.id }
  if (rival.parked) return rival.move(wanted)
  const isHolder = nth < MOVERS + HOLDERS && c.target.capability('services.availability')?.holds === true
  return isHolder ? rival.holdAndBook(wanted, c.buyer()) : rival.book(wanted, c.buyer())
}

/** Books another slot for the rival. The rival later moves this booking to the wanted slot. */
async function park(c: CheckContext, mover: Rival, service: Members): Promise<void> {
  if (mover.parked) return
  const { slot } = await c.takeSlot(service)
  const booking = (await mover.caller.call('book', c.bookingOf(slot))).success().booking as Members
  mover.parked = booking
  c.cancelAfterwards(booking, mover.caller)
}

async function expectBooked(rival: Rival, bookingId: string, slot: Slot): Promise<void> {
  const booking = (await rival.caller.call('getBooking', { booking_id: bookingId })).success().booking as Members
  expectEqual((booking.slot as Members).id, slot.id, `the slot of the confirmed booking ${bookingId}`)
  expectTrue(booking.status !== 'canceled', `no cancellation of the confirmed booking ${bookingId}`, booking.status)
}
