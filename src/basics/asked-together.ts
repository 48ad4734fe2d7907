import { setImmediate } from 'node:timers/promises'

/** Nobody waits long for what others want besides. */
const MOST_PARTS = 64

interface Asked<Part, Answer> {
  parts: Set<Part>
  answer: Promise<Answer>
}

/**
 * Asks once for all who have the same question in one turn of the event loop, be it about the same things or about others. It is
 * asked when the turn is over: nobody gets what is older than their own question.
 */
export class AskedTogether<Answer, Part = never> {
  readonly #asked = new Map<string, Asked<Part, Answer>>()

  ask(question: string, about: readonly Part[], find: (parts: Part[]) => Promise<Answer>): Promise<Answer> {
    const before = this.#asked.get(question)
    if (before && hasRoom(before.parts, about)) {
      for (const part of about) before.parts.add(part)
      return before.answer
    }
    const parts = new Set(about)
    const answer = setImmediate().then(() => {
      this.#asked.delete(question)
      return find([...parts])
    })
    this.#asked.set(question, { parts, answer })
    return answer
  }
}

const hasRoom = <Part>(parts: ReadonlySet<Part>, about: readonly Part[]): boolean =>
  about.every((part) => parts.has(part)) || parts.size + about.length <= MOST_PARTS
