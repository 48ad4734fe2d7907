import { sql } from 'kysely'
import { pacing } from '../../core/events/pacing.ts'
import { TO_SUBSCRIPTION } from '../../core/events/receivers.ts'
import { recordEvent } from '../../core/events/record-event.ts'
import type { Database } from '../../infra/db/database.ts'
import { writtenExactly } from '../../infra/time/zone.ts'
import { isShareUsed, letOthers } from '../../infra/util/long-work.ts'
import { newId } from '../../infra/util/new-id.ts'
import type { Service } from '../../protocol/types.generated.ts'

export type CatalogueEventType = 'service.created' | 'service.updated' | 'service.deleted' | 'service.suspended'

/** `before` is undefined for a new service, `after` for a deleted one. */
export interface ServiceChange {
  before: Service | undefined
  after: Service | undefined
}

export function catalogueEvent({ before, after }: ServiceChange): CatalogueEventType {
  if (!after) return 'service.deleted'
  if (!before) return 'service.created'
  return after.status === 'suspended' && before.status !== 'suspended' ? 'service.suspended' : 'service.updated'
}

/**
 * Subscriptions per query. Strangers can subscribe too, and all their categories together may take hundreds of megabytes.
 */
const AT_ONCE = 500

/** Records the events for all matching subscriptions, in the transaction that changes the catalogue. */
export async function recordCatalogueEvents(
  tx: Database,
  changes: ServiceChange[],
  zone: string,
  now: Date,
): Promise<void> {
  const news = changes.flatMap(newsOf)
  if (news.length === 0) return
  const notBefore = pacing(now)
  const timestamp = writtenExactly(zone, now)
  const categories = new Set(news.flatMap((one) => [...one.categories]))
  for await (const subscriptions of listeners(tx, [...categories]))
    for (const one of news) {
      if (isShareUsed()) await letOthers()
      const { event, service } = one
      const receivers = subscriptions
        .filter((listener) => isToldOf(listener, one))
        .map(({ id, callback_url }) => ({ receiver: TO_SUBSCRIPTION + id, notBefore: notBefore(callback_url) }))
      const hasData = event === 'service.created' || event === 'service.updated'
      const id = newId('evt')
      const body = { event, event_id: id, service_id: service.id, timestamp, ...(hasData && { data: service }) }
      await recordEvent(tx, { id, type: event, subject: `service ${service.id}`, content: { body } }, receivers, now)
    }
}

interface News {
  event: CatalogueEventType
  service: Service
  /** Categories before and after the change. A subscriber of a category also learns that a service leaves it. */
  categories: ReadonlySet<string>
}

function newsOf(change: ServiceChange): News[] {
  const { before, after } = change
  const service = after ?? before
  const categories = new Set([...categoriesOf(before), ...categoriesOf(after)])
  return service ? [{ event: catalogueEvent(change), service, categories }] : []
}

const isToldOf = ({ events, categories }: Listener, news: News): boolean =>
  (!events || events.includes(news.event)) && (!categories || categories.some((id) => news.categories.has(id)))

const categoriesOf = (service: Service | undefined): string[] =>
  (service?.categories ?? []).flatMap(({ id }) => id ?? [])

interface Listener {
  id: string
  callback_url: string
  categories: string[] | null
  events: string[] | null
}

/**
 * Includes paused subscriptions: they receive the events after they resume. Returns only the categories that the changes
 * concern.
 */
async function* listeners(tx: Database, categories: readonly string[]): AsyncIterable<readonly Listener[]> {
  for (let last: string | undefined = ''; last !== undefined; ) {
    const { rows }: { rows: Listener[] } = await sql<Listener>`
      select id, callback_url, events, case when categories is not null then array(
        select unnest(categories) intersect select unnest(${categories}::text[])) end as categories
      from feed_subscriptions
      where status in ('active', 'paused') and id > ${last} order by id limit ${AT_ONCE}`.execute(tx)
    if (rows.length > 0) yield rows
    last = rows.length < AT_ONCE ? undefined : rows.at(-1)?.id
  }
}
