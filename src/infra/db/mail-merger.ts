import type { Insertable } from 'kysely'
import type { NewMail } from './outbox.ts'
import type { DB } from './schema.generated.ts'

type Row = Insertable<DB['mails']>

interface Held {
  snapshot: object
  rows: readonly Row[]
  others: readonly object[]
}

/**
 * Holds the mails of a unit of work until its end, since several become one. The snapshot of the first mail then lists
 * the others.
 */
export class MailMerger {
  #held: ReadonlyMap<string, Held> = new Map()

  add({ kind, to, snapshot }: NewMail, rows: readonly Row[], { what, as }: { what: string; as: object }): boolean {
    if (rows.length === 0) return false
    const key = JSON.stringify([what, kind, to])
    const first = this.#held.get(key)
    const held = first ? { ...first, others: [...first.others, as] } : { snapshot, rows, others: [] }
    this.#held = new Map(this.#held).set(key, held)
    return true
  }

  rows(): Row[] {
    return [...this.#held.values()].flatMap(({ snapshot, rows, others }) =>
      others.length === 0 ? rows : rows.map((row) => ({ ...row, snapshot: JSON.stringify({ ...snapshot, others }) })),
    )
  }

  /** Discards the mails of work that failed. */
  async discardOnFailure<T>(work: () => Promise<T>): Promise<T> {
    const before = this.#held
    try {
      return await work()
    } catch (error) {
      this.#held = before
      throw error
    }
  }
}
