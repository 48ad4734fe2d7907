import { holdsOfOffersEnd } from '../availability/hold-queries.ts'
import type { Change } from '../db/change.ts'
import { claimsEnd } from '../ledger/claims.ts'
import { seatsEndOf } from '../ledger/seats.ts'
import type { EntryRow } from './queries.ts'

/** Gives back what the entry was offered. */
export const offerEnd = (tx: Change, entry: Pick<EntryRow, 'id'>): Promise<void> => offersEnd(tx, [entry])

/** The same of many: a class of hundreds may have been offered to as many, who all let it lapse. */
export async function offersEnd(tx: Change, entries: readonly Pick<EntryRow, 'id'>[]): Promise<void> {
  const ids = entries.map(({ id }) => id)
  await claimsEnd(tx, 'offer', ids)
  await seatsEndOf(tx, 'offer', ids)
  await holdsOfOffersEnd(tx, ids)
}
