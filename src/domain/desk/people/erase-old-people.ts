import { secondsOf } from '../../../infra/time/units.ts'
import { changeInBatches } from '../../../protocol/change-in-batches.ts'
import type { Dependencies } from '../../../protocol/dependencies.ts'
import { ERASED_BUYER } from '../../bookings/anonymized.ts'
import { bookingsToErase } from '../shared/queries.ts'
import { entriesToErase } from '../waitlist/entry-queries.ts'
import { eraseBookings, eraseEntries } from './erase.ts'

/** Erases people in bookings and the waitlist after the retention time, if the business has set one. */
export async function eraseOldPeople(
  { makeChange, business }: Dependencies<'makeChange' | 'business'>,
  now: Date,
): Promise<void> {
  const retention = (await business.get())?.privacy?.retention
  if (retention === undefined) return
  const over = new Date(now.getTime() - secondsOf(retention) * 1000)
  await changeInBatches(makeChange, {
    next: (tx, most) => bookingsToErase(tx, over, most),
    work: (tx, ids) => eraseBookings(tx, ids, 'system', now),
  })
  await changeInBatches(makeChange, {
    next: (tx, most) => entriesToErase(tx, over, ERASED_BUYER, most),
    work: async (tx, ids) => {
      await eraseEntries(tx, ids, 'system', now)
      return ids
    },
  })
}
