import { claimsEnd } from '../../core/ledger/claims.ts'
import { seatsEndOf } from '../../core/ledger/seats.ts'
import type { Change } from '../../infra/db/change.ts'
import { holdsOfOffersEnd } from '../availability/hold-queries.ts'
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
