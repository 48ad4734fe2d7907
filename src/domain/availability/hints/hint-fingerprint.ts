import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../../../infra/db/database.ts'
import { dateIn } from '../../../infra/time/time-zone.ts'
import type { BusinessDefinition } from '../../../protocol/types.generated.ts'
import { type Plan, resourcesOf } from '../service-scheduling-plan.ts'

/**
 * Digests (hashes) of all reservations that are not over. Each person, room or item has one digest of its reserved
 * times. Each class has one digest of its sessions and booked seats. Sessions whose teacher or room is busy in another
 * calendar count as full, so the digest also contains which they are.
 */
export interface OccupancyDigests {
  resources: ReadonlyMap<string, string>
  services: ReadonlyMap<string, string>
}

/**
 * Computes the digests of all reservations directly from the database tables. Therefore code that changes a reservation
 * does not need to report the change.
 */
export async function occupancyDigests(db: Database, now: Date): Promise<OccupancyDigests> {
  const { rows: claims } = await sql<{ id: string; taken: string }>`
    select resource_id as id, md5(string_agg(id || ' ' || during, ',' order by id)) as taken
    from claims
    where upper(during) > ${now} and (expires_at is null or expires_at > ${now})
    group by resource_id`.execute(db)
  const { rows: sessions } = await sql<{ id: string; taken: string }>`
    select service_id as id, md5(string_agg(concat_ws(' ', id, starts_at, capacity, spots, busy), ',' order by id)) as taken
    from (
      select s.id, s.service_id, s.starts_at, s.capacity, sum(p.spots) as spots,
        case when (select exists (select from calendar_conflicts)) and is_class_busy(s.id) then 'busy' end as busy
      from sessions s
      left join seats p on p.session_id = s.id and (p.expires_at is null or p.expires_at > ${now})
      where s.starts_at > ${now} and s.wanted and s.canceled_at is null
      group by s.id
    ) session
    group by service_id`.execute(db)
  const { rows: busy } = await sql<{ id: string; taken: string }>`
    select resource_id as id, md5(string_agg(during::text, ',' order by source_id, event)) as taken
    from busy_times where upper(during) > ${now} group by resource_id`.execute(db)
  const byId = (rows: { id: string; taken: string }[]) => new Map(rows.map(({ id, taken }) => [id, taken]))
  const resources = byId(claims)
  for (const { id, taken } of busy) resources.set(id, [resources.get(id), taken].join(' '))
  return { resources, services: byId(sessions) }
}

const digests = new WeakMap<BusinessDefinition, string>()

function digestOf(business: BusinessDefinition): string {
  const digest = digests.get(business) ?? hash('sha256', JSON.stringify(business), 'base64url')
  digests.set(business, digest)
  return digest
}

/**
 * Change this text when the content or the format of availability hints (summaries of free times) changes. After the
 * next upgrade, the server then computes all hints again.
 */
const FORM = 'slot_bitmaps'

/**
 * Digest (hash) of all data that determine the availability hint (the summary of free times) of a service. If the
 * digest has not changed, the content of the hint has not changed either.
 */
export function hintFingerprint(plan: Plan, { resources, services }: OccupancyDigests, now: Date): string {
  const { business, service, zone } = plan
  const taken = [services.get(service.id), ...resourcesOf(plan).map((id) => resources.get(id))]
  const basis = [FORM, digestOf(business), dateIn(zone, now.getTime()), ...taken.map((one) => one ?? '')]
  return hash('sha256', basis.join(' '), 'base64url')
}
