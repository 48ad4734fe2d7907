import type { BookingRow } from './booking-row.ts'

export type StoredBooking = Omit<BookingRow, Instants> & { [I in Instants]: string }
type Instants = 'starts_at' | 'ends_at' | 'created_at' | 'updated_at' | 'reminded_until'

export const revivedBooking = (row: StoredBooking): BookingRow => ({
  ...row,
  starts_at: new Date(row.starts_at),
  ends_at: new Date(row.ends_at),
  created_at: new Date(row.created_at),
  updated_at: new Date(row.updated_at),
  reminded_until: new Date(row.reminded_until),
  expires_at: row.expires_at && new Date(row.expires_at),
  release_at: row.release_at ? new Date(row.release_at) : null,
})
