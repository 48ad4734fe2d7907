import type { Change, MakeChange } from '../../db/change.ts'

/** Each takes some milliseconds, for which others wait. */
const AT_ONCE = 20

/** What is to be done with many things. */
interface Steps {
  /** Those that it is still to be done with; done with, they are no longer among them. */
  next(tx: Change, most: number): Promise<string[]>
  /** Does it, and says with which. */
  work(tx: Change, ids: readonly string[]): Promise<readonly string[]>
}

/**
 * Does something with a few at a time, each few in a change of their own, so that nobody waits long for what is locked.
 * Whoever begins again goes on where it was left.
 */
export async function inShortChanges(makeChange: MakeChange, { next, work }: Steps): Promise<string[]> {
  const all: string[] = []
  for (;;) {
    const { found, done } = await makeChange(async (tx) => {
      const found = await next(tx, AT_ONCE)
      return { found, done: await work(tx, found) }
    })
    all.push(...done)
    if (found.length < AT_ONCE) return all
  }
}
