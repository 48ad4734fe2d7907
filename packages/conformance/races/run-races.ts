import type { Members } from '../caller/answer.ts'
import { check } from '../checks/check.ts'
import { CheckContext, type RunEnvironment } from '../run/check-context.ts'
import { expectEqual, expectTrue } from '../run/expectations.ts'
import { Mismatch, Skip } from '../run/mismatch.ts'
import type { Finding } from '../run/run-checks.ts'
import type { Slot } from '../target/free-slots.ts'
import { Rival, type Won } from './rival.ts'

const MOVERS = 2
const HOLDERS_PER_ROUND = 10
/** The largest number of places that one contested slot may have, so that the rivals want more than there are. */
const MAX_PLACES = 20

const RACE = check(
  'BKG-006 HLD-013 HLD-036 BKG-116',
  'Of many rivals for the same slots, exactly as many are served as there are places',
  async () => {},
)

export interface RaceOptions {
  /** The number of contested slots. */
  rounds: number
  /** The number of platforms that want each slot at the same time. */
  rivals: number
  onRound: (done: number) => void
}

/** Lets rivals hold, book and move to the same slots at once, and compares each answer with what the server shows later. */
export async function runRaces(environment: RunEnvironment, options: RaceOptions): Promise<Finding> {
  const start = performance.now()
  const context = new CheckContext(environment, environment.target.bindings.includes('rest') ? 'rest' : 'mcp')
  const finding = { check: RACE, binding: context.binding, exchanges: context.exchanges }
  const end = (result: Finding['result'], reason?: string): Finding => {
    return { ...finding, result, reason, milliseconds: Math.round(performance.now() - start) }
  }
  try {
    const rivals = Array.from({ length: options.rivals }, () => new Rival(context.newPlatform().caller))
    for (let round = 0; round < options.rounds; round++) {
      // Evidence of the rounds before would fill the memory.
      context.exchanges.length = 0
      await raceForOne(context, rivals)
      options.onRound(round + 1)
    }
    return end('proven')
  } catch (error) {
    if (error instanceof Skip) return end('skipped', error.message)
    if (error instanceof Mismatch) return end('failed', error.message)
    return end('failed', `the races could not go on: ${error instanceof Error ? error.message : error}`)
  } finally {
    await context.cleanUp()
  }
}

async function raceForOne(context: CheckContext, rivals: Rival[]): Promise<void> {
  const service = raceService(context)
  const { slot, giveBack } = await context.takeSlot(service)
  const wanted = { service_id: service.id, slot_id: slot.id }
  const places = placesOf(slot)
  const movers = rivals.slice(0, MOVERS)
  await Promise.all(movers.map((mover) => park(context, mover, service)))
  const results = await Promise.all(
    rivals.map((rival, nth) => {
      if (rival.parked) return rival.move(wanted)
      if (nth < MOVERS + HOLDERS_PER_ROUND && context.target.capability('services.availability')?.holds === true)
        return rival.holdAndBook(wanted, context.buyer())
      return rival.book(wanted, context.buyer())
    }),
  )
  const won = results.filter((result) => result !== undefined)
  try {
    expectEqual(won.length, Math.min(places, rivals.length), `the number of rivals that got the slot ${slot.id}`)
    for (const { rival, bookingId } of won) await expectBooked(rival, bookingId, slot)
    const { slots = [] } = (await context.anonymous.call('queryAvailability', dayOf(service, slot))).success()
    const offered = (slots as Slot[]).find(({ id }) => id === slot.id)
    expectTrue(!offered || offered.state === 'waitlist', `the full slot ${slot.id} not to be offered`, offered)
  } finally {
    await Promise.all(won.map((winner) => cancel(winner)))
    giveBack()
  }
}

/** The bookings of a race are confirmed at once, and cost nothing ahead. */
function raceService(context: CheckContext): Members {
  return context.simpleService
}

function placesOf(slot: Slot): number {
  const remaining = Number((slot.capacity as Members | undefined)?.remaining ?? 1)
  if (remaining > MAX_PLACES) throw new Skip(`The slot has ${remaining} places, more than the races fill.`)
  return remaining
}

async function park(context: CheckContext, mover: Rival, service: Members): Promise<void> {
  if (mover.parked) return
  const { slot } = await context.takeSlot(service)
  const input = { service_id: service.id, slot_id: slot.id, buyer: context.buyer() }
  const booking = (await mover.caller.call('book', input)).success().booking as Members
  mover.parked = booking
  context.cancelAfterwards(booking, mover.caller)
}

async function expectBooked(rival: Rival, bookingId: string, slot: Slot): Promise<void> {
  const booking = (await rival.caller.call('getBooking', { booking_id: bookingId })).success().booking as Members
  expectEqual((booking.slot as Members).id, slot.id, `the slot of the acknowledged booking ${bookingId}`)
  expectTrue(booking.status !== 'canceled', `the acknowledged booking ${bookingId} to be live`, booking.status)
}

const cancel = ({ rival, bookingId }: Won) => rival.caller.call('cancelBooking', { booking_id: bookingId })

function dayOf(service: Members, { start, end }: Slot): Members {
  return { service_id: service.id, start_date: start, end_date: end }
}
