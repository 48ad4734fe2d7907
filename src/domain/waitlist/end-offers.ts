import { claimsEnd } from '../../core/ledger/claims.ts'
import { seatsEndOf } from '../../core/ledger/seats.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import { releaseHoldsOfOffers } from '../availability/hold-queries.ts'
import type { EntryRow } from './queries.ts'

export const endOffer = (tx: UnitOfWork, entry: Pick<EntryRow, 'id'>): Promise<void> => endOffers(tx, [entry])

/** Releases the offers of these entries in few statements: hundreds of offers for one class may expire together. */
export async function endOffers(tx: UnitOfWork, entries: readonly Pick<EntryRow, 'id'>[]): Promise<void> {
  const ids = entries.map(({ id }) => id)
  await claimsEnd(tx, 'offer', ids)
  await seatsEndOf(tx, 'offer', ids)
  await releaseHoldsOfOffers(tx, ids)
}
