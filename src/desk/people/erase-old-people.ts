import { nobody } from '../../bookings/anonymized.ts'
import type { Change, MakeChange } from '../../db/change.ts'
import type { Means } from '../../protocol/means.ts'
import { secondsOf } from '../../time/duration.ts'
import { bookingsToErase } from '../shared/queries.ts'
import { entriesToErase } from '../waitlist/entry-queries.ts'
import { eraseBookings, eraseEntries } from './erase.ts'

const AT_ONCE = 100

/** Forgets who came and who waited, when the business said how long that is to be known and the time has passed. */
export async function eraseOldPeople(
  { makeChange, business }: Means<'makeChange' | 'business'>,
  now: Date,
): Promise<void> {
  const retention = (await business.get())?.privacy?.retention
  if (retention === undefined) return
  const over = new Date(now.getTime() - secondsOf(retention) * 1000)
  await inTurns(makeChange, async (tx) => {
    const ids = await bookingsToErase(tx, over, AT_ONCE)
    await eraseBookings(tx, ids, 'system', now)
    return ids.length
  })
  await inTurns(makeChange, async (tx) => {
    const ids = await entriesToErase(tx, over, nobody, AT_ONCE)
    await eraseEntries(tx, ids, 'system', now)
    return ids.length
  })
}

/** A few at a time, so that nobody waits long for what is locked. */
async function inTurns(makeChange: MakeChange, some: (tx: Change) => Promise<number>): Promise<void> {
  while ((await makeChange(some)) === AT_ONCE);
}
