import { rfc3339 } from '../../infra/time/zone.ts'
import type { Hold } from '../../protocol/types.generated.ts'
import type { HoldRow } from './hold-queries.ts'

/** A hold past its end counts as expired, even when the stored status is still active. */
export const holdStatus = ({ status, expires_at }: HoldRow, now: Date): Hold['status'] =>
  status === 'active' && expires_at <= now ? 'expired' : (status as Hold['status'])

export const toHold = (row: HoldRow, zone: string, now: Date): Hold => ({
  id: row.id,
  slot_id: row.slot_id,
  service_id: row.service_id,
  spots: row.spots,
  expires_at: rfc3339(zone, row.expires_at.getTime()),
  status: holdStatus(row, now),
})
