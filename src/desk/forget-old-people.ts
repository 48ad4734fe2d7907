import { secondsOf } from '../business/duration.ts'
import type { Runtime } from '../runtime.ts'
import { eraseBookings } from './erase.ts'
import { bookingsToForget } from './queries.ts'

const AT_ONCE = 100

/** Forgets who came, when the business said how long that is to be known and the time has passed. */
export async function forgetOldPeople({ db, business }: Pick<Runtime, 'db' | 'business'>, now: Date): Promise<void> {
  const retention = (await business.get())?.privacy?.retention
  if (retention === undefined) return
  const over = new Date(now.getTime() - secondsOf(retention) * 1000)
  for (let last = AT_ONCE; last === AT_ONCE; ) {
    const ids = await bookingsToForget(db, over, AT_ONCE)
    await db.transaction().execute((tx) => eraseBookings(tx, ids, 'system', now))
    last = ids.length
  }
}
