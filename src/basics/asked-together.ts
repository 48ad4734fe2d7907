import { setImmediate } from 'node:timers/promises'

/**
 * Asks once for all who want the same in one turn of the event loop. It is asked when the turn is over: nobody gets what is
 * older than their own question.
 */
export class AskedTogether<Answer> {
  readonly #asked = new Map<string, Promise<Answer>>()

  ask(question: string, find: () => Promise<Answer>): Promise<Answer> {
    const before = this.#asked.get(question)
    if (before) return before
    const answer = setImmediate().then(() => {
      this.#asked.delete(question)
      return find()
    })
    this.#asked.set(question, answer)
    return answer
  }
}
