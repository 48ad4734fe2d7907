import { randomUUID } from 'node:crypto'
import { setTimeout as pass } from 'node:timers/promises'
import { expect } from 'vitest'
import { type Answer, callerOf } from './image-caller.ts'
import type { ImageSetUp } from './image-set-up.ts'

/** In milliseconds. People book for this time before a disturbance begins, and after it ends. */
const CALM_MS = 2_000
/** A smaller number of bookings would prove little. */
const MIN_BOOKED = 10

/** Books at the server in the container, and remembers each booking that the server acknowledged. */
export async function bookAt(setUp: ImageSetUp) {
  const output = await setUp.runCommand(['usp', 'staff', 'add', 'Tester', '--role', 'owner'])
  const [token = ''] = /\bust_\S+/.exec(output) ?? []
  const caller = callerOf(setUp.origin, token)
  const slots = await caller.slots()
  const acknowledged: string[] = []

  /** Checks that each acknowledged booking is stored once, and that no other booking is stored. */
  const expectAllStored = async (database?: string) =>
    expect((await setUp.sql('select id from bookings', database)).sort()).toEqual(acknowledged.toSorted())

  return {
    caller,
    expectAllStored,
    /** Books once. If the server does not acknowledge the booking, a call with the same key repeats it. */
    async book(key: string = randomUUID()): Promise<Answer> {
      const answer = await caller.book(slots[0] ?? '', key)
      if (answer.status === 201) acknowledged.push(answer.body.booking.id)
      return answer
    },
    /** Runs a disturbance while people book. */
    async whileBooking(disturb: () => Promise<unknown>): Promise<void> {
      const load = caller.startLoad(slots)
      await pass(CALM_MS)
      await disturb()
      await pass(CALM_MS)
      await load.stop()
      acknowledged.push(...load.booked)
      // Status 0 means that the connection ended without an answer.
      expect(load.attempts.filter(({ status, odd }) => odd || ![0, 201, 503].includes(status))).toEqual([])
      expect(load.booked.length).toBeGreaterThanOrEqual(MIN_BOOKED)
      await expectAllStored()
    },
  }
}
