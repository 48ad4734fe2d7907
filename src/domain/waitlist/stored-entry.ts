import type { MailedEntry } from './notify-entry.ts'

export type StoredEntry = Omit<MailedEntry, Instants> & { [I in Instants]: string }
type Instants = 'offered_from' | 'offered_to' | 'offer_expires_at' | 'over_at' | 'created_at' | 'updated_at'

export const revivedEntry = (row: StoredEntry): MailedEntry => ({
  ...row,
  offered_from: row.offered_from ? new Date(row.offered_from) : null,
  offered_to: row.offered_to ? new Date(row.offered_to) : null,
  offer_expires_at: row.offer_expires_at ? new Date(row.offer_expires_at) : null,
  over_at: row.over_at ? new Date(row.over_at) : null,
  created_at: new Date(row.created_at),
  updated_at: new Date(row.updated_at),
})
