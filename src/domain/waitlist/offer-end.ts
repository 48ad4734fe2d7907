import { claimsEnd } from '../../core/ledger/claims.ts'
import { seatsEndOf } from '../../core/ledger/seats.ts'
import type { Change } from '../../infra/db/change.ts'
import { holdsOfOffersEnd } from '../availability/hold-queries.ts'
import type { EntryRow } from './queries.ts'

export const offerEnd = (tx: Change, entry: Pick<EntryRow, 'id'>): Promise<void> => offersEnd(tx, [entry])

/** Releases the offers of these entries in few statements: hundreds of offers for one class may expire together. */
export async function offersEnd(tx: Change, entries: readonly Pick<EntryRow, 'id'>[]): Promise<void> {
  const ids = entries.map(({ id }) => id)
  await claimsEnd(tx, 'offer', ids)
  await seatsEndOf(tx, 'offer', ids)
  await holdsOfOffersEnd(tx, ids)
}
