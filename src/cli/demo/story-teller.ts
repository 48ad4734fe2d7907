import { readBooking } from '../../domain/desk/bookings/read-booking.ts'
import { type DemoStep, demoSteps } from '../../domain/desk/demo/demo-log.ts'
import type { Booking } from '../../protocol/types.generated.ts'
import type { Runtime } from '../../server/shared-services.ts'
import { asStaff } from './story-calls.ts'
import { inStory, type StoryTime } from './story-time.ts'

/** Makes the steps of the story, and knows which of them an earlier start of the server has made. */
export class StoryTeller {
  readonly runtime: Runtime
  readonly staffId: string
  readonly toldAt: Date
  readonly #done: ReadonlyMap<string, DemoStep>

  private constructor(runtime: Runtime, staffId: string, toldAt: Date, done: readonly DemoStep[]) {
    this.runtime = runtime
    this.staffId = staffId
    this.toldAt = toldAt
    this.#done = new Map(done.map((one) => [one.step, one]))
  }

  static async start(runtime: Runtime, staffId: string, toldAt: Date): Promise<StoryTeller> {
    return new StoryTeller(runtime, staffId, toldAt, await demoSteps(runtime.db))
  }

  /** Makes a step that concerns a booking. If the step is done already, reads its booking. */
  async make(step: string, at: Date, work: (story: StoryTime) => Promise<Booking>): Promise<Booking> {
    const done = this.#done.get(step)
    if (!done) return this.#run(step, at, work)
    const id = done.made[0]?.replace('booking ', '') ?? ''
    return (await asStaff(this, readBooking, { booking_id: id })).booking
  }

  /** Makes a step whose result no later step needs. */
  async do(step: string, at: Date, work: (story: StoryTime) => Promise<unknown>): Promise<void> {
    if (!this.#done.has(step)) await this.#run(step, at, work)
  }

  isDone(step: string): boolean {
    return this.#done.has(step)
  }

  #run<T>(step: string, at: Date, work: (story: StoryTime) => Promise<T>): Promise<T> {
    const { runtime, staffId, toldAt } = this
    return inStory(runtime, { step, at, staffId, toldAt }, work)
  }
}
