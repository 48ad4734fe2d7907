import type { Change } from '../db/change.ts'
import { claimEnd } from '../ledger/claims.ts'
import { seatsEnd } from '../ledger/seats.ts'
import type { EntryRow } from './queries.ts'

/** Gives back what the entry was offered. */
export async function offerEnd(tx: Change, { id }: Pick<EntryRow, 'id'>): Promise<void> {
  await claimEnd(tx, { kind: 'offer', id })
  await seatsEnd(tx, { kind: 'offer', id })
}
