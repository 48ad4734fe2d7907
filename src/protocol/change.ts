import type { Tx } from '../db/database.ts'
import type { Runtime } from '../runtime.ts'
import { type Offering, offerFreed } from '../waitlist/offer-freed.ts'

/** What a change needs. */
export type Changing = Offering & Pick<Runtime, 'db'>

/** A change that no operation asks for. Like those that one does, it offers what it frees to those who wait. */
export const makeChange = <T>(runtime: Changing, work: (tx: Tx) => Promise<T>): Promise<T> =>
  runtime.db.transaction().execute(async (tx) => {
    const result = await work(tx)
    await offerFreed(tx, runtime)
    return result
  })
