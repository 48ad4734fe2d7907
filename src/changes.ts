import type { Database } from './db/database.ts'
import { writeLater } from './db/later.ts'

/** Something that somebody did, for whoever asks later. */
export interface Change {
  /** A principal, `buyer` for what was done on a page of ours, or `system`. */
  actor: string
  action: string
  subject: string
  from: string | null
  to: string | null
  detail?: object
}

/** Written in the transaction that makes the change; nothing is ever taken back from here. */
export async function changeInsert(
  tx: Database,
  { detail = {}, from, to, ...change }: Change,
  now: Date,
): Promise<void> {
  const row = { ...change, at: now, from_status: from, to_status: to, detail: JSON.stringify(detail) }
  await writeLater(tx, 'changes', row)
}
