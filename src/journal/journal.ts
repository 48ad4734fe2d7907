import type { Change } from '../db/change.ts'

const SYSTEM = 'system'

/** Something that somebody did, for whoever asks later. */
interface Entry {
  /** A principal, `buyer` for what was done on a page of ours, or `system`. */
  actor: string
  action: string
  subject: string
  from: string | null
  to: string | null
  detail?: object
}

/** Written in the transaction that makes the change; nothing is ever taken back from here. */
export function changeInsert(tx: Change, { detail = {}, from, to, ...entry }: Entry, now: Date): void {
  const said = { ...detail, ...(tx.agent !== undefined && entry.actor !== SYSTEM && { agent: tx.agent }) }
  const row = { ...entry, at: now, from_status: from, to_status: to, detail: JSON.stringify(said) }
  tx.note('changes', row)
}
