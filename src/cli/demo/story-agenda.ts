import type { StoryTeller } from './story-teller.ts'

/** An event of the story at an instant in milliseconds. It returns the events that follow from it. */
export interface StoryEvent {
  at: number
  run(): Promise<readonly StoryEvent[] | undefined>
}

/** An event that makes one step and has no consequences. */
export const eventOf = (
  teller: StoryTeller,
  step: string,
  at: number,
  work: Parameters<StoryTeller['do']>[2],
): StoryEvent => ({
  at,
  run: async () => {
    await teller.do(step, new Date(at), work)
    return undefined
  },
})

/** The events that are still to come, in the order of their time. */
export class StoryAgenda {
  readonly #events: StoryEvent[] = []

  add(events: readonly StoryEvent[]): void {
    for (const event of events) this.#events.splice(this.#placeOf(event.at), 0, event)
  }

  next(): StoryEvent | undefined {
    return this.#events.shift()
  }

  /** Events at the same instant keep the order in which they were added. */
  #placeOf(at: number): number {
    const place = this.#events.findIndex((other) => other.at > at)
    return place < 0 ? this.#events.length : place
  }
}
