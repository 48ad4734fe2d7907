import type { DemoSimulation } from './demo-simulation.ts'

/** An event of the simulation at an instant in milliseconds. It returns the events that follow from it. */
export interface SimulatedEvent {
  at: number
  run(): Promise<readonly SimulatedEvent[] | undefined>
}

/** An event that makes one step and has no consequences. */
export const eventOf = (
  simulation: DemoSimulation,
  step: string,
  at: number,
  work: Parameters<DemoSimulation['do']>[2],
): SimulatedEvent => ({
  at,
  run: async () => {
    await simulation.do(step, new Date(at), work)
    return undefined
  },
})

/** The events that are still to come, in the order of their time. */
export class EventQueue {
  readonly #events: SimulatedEvent[] = []

  add(events: readonly SimulatedEvent[]): void {
    for (const event of events) this.#events.splice(this.#placeOf(event.at), 0, event)
  }

  next(): SimulatedEvent | undefined {
    return this.#events.shift()
  }

  /** Events at the same instant keep the order in which they were added. */
  #placeOf(at: number): number {
    const place = this.#events.findIndex((other) => other.at > at)
    return place < 0 ? this.#events.length : place
  }
}
