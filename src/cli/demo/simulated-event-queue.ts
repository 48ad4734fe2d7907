import type { DemoSimulation } from './demo-simulation.ts'

/** An event of the simulation at an instant in milliseconds since 1970. It returns the events that follow from it. */
export interface SimulatedEvent {
  at: number
  run(): Promise<readonly SimulatedEvent[] | undefined>
}

/** Makes an event that runs one step of the simulation. No other events follow from it. */
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

/** The events that the simulation has not run yet, earliest first. */
export class EventQueue {
  readonly #events: SimulatedEvent[] = []

  add(events: readonly SimulatedEvent[]): void {
    for (const event of events) this.#events.splice(this.#placeOf(event.at), 0, event)
  }

  next(): SimulatedEvent | undefined {
    return this.#events.shift()
  }

  /**
   * Returns the position of a new event in the queue. Events at the same instant keep the order in which they were
   * added.
   */
  #placeOf(at: number): number {
    const place = this.#events.findIndex((other) => other.at > at)
    return place < 0 ? this.#events.length : place
  }
}
