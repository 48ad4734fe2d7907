import { readBooking } from '../../domain/desk/bookings/read-booking.ts'
import { type DemoStep, demoSteps } from '../../domain/desk/demo/demo-data-audit-log.ts'
import type { Booking } from '../../protocol/types.generated.ts'
import type { Runtime } from '../../server/build-dependencies.ts'
import { asStaff } from './call-operations.ts'
import { atSimulatedTime, type SimulatedTime, StepDoneError } from './simulated-time.ts'

type Work<T> = (moment: SimulatedTime) => Promise<T>

/**
 * Runs the steps of the simulation that makes the demo bookings. It skips the steps that an earlier start of the server
 * has completed.
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

  /** Runs a step that creates or changes a booking, and returns the booking. */
  async make(step: string, at: Date, work: Work<Booking>): Promise<Booking | undefined> {
    return (await this.#makeOnce(step, at, work)) ?? this.bookingOf(step)
  }

  /** Returns the booking of a completed step. Undefined if the step is not completed. */
  async bookingOf(step: string): Promise<Booking | undefined> {
    const [row] = this.#done.get(step)?.made ?? []
    if (row === undefined) return undefined
    return (await asStaff(this, readBooking, { booking_id: row.replace('booking ', '') })).booking
  }

  /** Runs a step whose result no later step needs. */
  async do(step: string, at: Date, work: Work<unknown>): Promise<void> {
    await this.#makeOnce(step, at, work)
  }

  /**
   * Runs a step, or returns undefined if the step is already completed. A step can be completed although its
   * transaction seemed to fail, because the database connection was lost after the commit.
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
