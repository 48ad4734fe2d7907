import { readBooking } from '../../domain/desk/bookings/read-booking.ts'
import { type DemoStep, demoSteps } from '../../domain/desk/demo/demo-data-audit-log.ts'
import type { Booking } from '../../protocol/types.generated.ts'
import type { Runtime } from '../../server/build-dependencies.ts'
import { asStaff } from './call-operations.ts'
import { atSimulatedTime, type SimulatedTime, StepDoneError } from './simulated-time.ts'

type Work<T> = (moment: SimulatedTime) => Promise<T>

/**
 * Makes the steps of the simulation, and knows which of them are done, for example by an earlier start of the server.
 */
export class DemoSimulation {
  readonly runtime: Runtime
  readonly staffId: string
  readonly begunAt: Date
  #done: ReadonlyMap<string, DemoStep> = new Map()

  constructor(runtime: Runtime, { staffId, begunAt }: { staffId: string; begunAt: Date }) {
    this.runtime = runtime
    this.staffId = staffId
    this.begunAt = begunAt
  }

  async readDoneSteps(): Promise<void> {
    this.#done = new Map((await demoSteps(this.runtime.db)).map((one) => [one.step, one]))
  }

  /** Makes a step that concerns a booking. */
  async make(step: string, at: Date, work: Work<Booking>): Promise<Booking | undefined> {
    return (await this.#makeOnce(step, at, work)) ?? this.bookingOf(step)
  }

  /** Reads the booking of a step that is done. Undefined if the step is not done. */
  async bookingOf(step: string): Promise<Booking | undefined> {
    const [row] = this.#done.get(step)?.made ?? []
    if (row === undefined) return undefined
    return (await asStaff(this, readBooking, { booking_id: row.replace('booking ', '') })).booking
  }

  /** Makes a step whose result no later step needs. */
  async do(step: string, at: Date, work: Work<unknown>): Promise<void> {
    await this.#makeOnce(step, at, work)
  }

  /**
   * Returns undefined if the step is done. A step can be done although its transaction seemed to fail, because the
   * connection to the database was lost after the commit.
   */
  async #makeOnce<T>(step: string, at: Date, work: Work<T>): Promise<T | undefined> {
    if (this.#done.has(step)) return undefined
    const { runtime, staffId, begunAt } = this
    try {
      return await atSimulatedTime(runtime, { step, at, staffId, begunAt }, work)
    } catch (error) {
      if (!(error instanceof StepDoneError)) throw error
      await this.readDoneSteps()
      if (!this.#done.has(step)) throw error
      return undefined
    }
  }
}
