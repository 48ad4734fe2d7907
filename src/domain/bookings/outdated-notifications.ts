import { sql } from 'kysely'
import type { MailRow } from '../../core/mails/queries.ts'
import type { Database } from '../../infra/db/database.ts'
import { endings } from './lifecycle.ts'

/** The notifications that say when a visit takes place. */
const ANNOUNCEMENTS = new Set([
  'booking.confirmed',
  'booking.approved',
  'booking.moved',
  'booking.moved_by_business',
  'booking.reminder',
])

type Visit = Record<'id' | 'starts_at', string>

/**
 * Whether a waiting notification names a visit that was canceled or moved meanwhile. A text message can wait during the
 * quiet hours. A mail can wait too, but the mail about the cancellation follows it, so only a late reminder is wrong.
 */
export async function isOutdated(
  db: Database,
  { kind, channel, snapshot }: Pick<MailRow, 'kind' | 'channel' | 'snapshot'>,
): Promise<boolean> {
  if (!(channel === 'text' ? ANNOUNCEMENTS.has(kind) : kind === 'booking.reminder')) return false
  const { id, starts_at, others = [] } = snapshot as Visit & { others?: Visit[] }
  const visits = [{ id, starts_at }, ...others]
  const { rows } = await sql`
    select from bookings b join jsonb_to_recordset(${JSON.stringify(visits)}) as named (id text, starts_at timestamptz)
      on (b.id, b.starts_at) = (named.id, named.starts_at)
    where b.status <> all (${endings}::text[]) limit 1`.execute(db)
  return rows.length === 0
}
