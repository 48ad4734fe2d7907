import { sql } from 'kysely'
import { TO_SUBSCRIPTION } from '../../core/events/receivers.ts'
import { recordEvent } from '../../core/events/record-event.ts'
import type { Database } from '../../infra/db/database.ts'
import { parseUrl } from '../../infra/net/parse-url.ts'
import { rfc3339Exact } from '../../infra/time/time-zone.ts'
import { newId } from '../../infra/util/random-bytes.ts'
import { isTimeSliceUsed, yieldToEventLoop } from '../../infra/util/yield-to-event-loop.ts'
import type { Service } from '../../protocol/types.generated.ts'

export type CatalogueEventType = 'service.created' | 'service.updated' | 'service.deleted' | 'service.suspended'

/**
 * A change of one service in the catalogue (the published list of services). `before` is undefined for a new service,
 * and `after` is undefined for a deleted service.
 */
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
 * One query reads at most this many subscriptions to catalogue changes. Unknown callers can subscribe too, so there may
 * be many subscriptions. The categories of all subscriptions together may need hundreds of megabytes of memory.
 */
const SUBSCRIPTIONS_PER_QUERY = 500

/**
 * Stores an event (a message to subscribers) for each change of the catalogue. Each subscription that matches the
 * change will receive the event. The events and the change commit in one transaction.
 */
export async function recordCatalogueEvents(
  tx: Database,
  changes: ServiceChange[],
  zone: string,
  now: Date,
): Promise<void> {
  const news = changes.flatMap(catalogueChangesOf)
  if (news.length === 0) return
  const notBefore = spreadByHost(now)
  const timestamp = rfc3339Exact(zone, now)
  const categories = new Set(news.flatMap((one) => [...one.categories]))
  for await (const subscriptions of listeners(tx, [...categories]))
    for (const one of news) {
      if (isTimeSliceUsed()) await yieldToEventLoop()
      const { event, service } = one
      const receivers = subscriptions
        .filter((listener) => isInterestedIn(listener, one))
        .map(({ id, callback_url }) => ({ receiver: TO_SUBSCRIPTION + id, notBefore: notBefore(callback_url) }))
      const hasData = event === 'service.created' || event === 'service.updated'
      const id = newId('evt')
      const body = { event, event_id: id, service_id: service.id, timestamp, ...(hasData && { data: service }) }
      await recordEvent(tx, { id, type: event, subject: `service ${service.id}`, content: { body } }, receivers, now)
    }
}

interface CatalogueNotice {
  event: CatalogueEventType
  service: Service
  /**
   * The categories of the service before and after the change. If the service leaves a category, the subscribers of
   * this category must also get the event.
   */
  categories: ReadonlySet<string>
}

function catalogueChangesOf(change: ServiceChange): CatalogueNotice[] {
  const { before, after } = change
  const service = after ?? before
  const categories = new Set([...categoriesOf(before), ...categoriesOf(after)])
  return service ? [{ event: catalogueEvent(change), service, categories }] : []
}

const isInterestedIn = ({ events, categories }: Listener, news: CatalogueNotice): boolean =>
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
 * Yields active and paused subscriptions in batches. A paused subscription receives the event later, when it resumes.
 * To save memory, the query reads only those categories of a subscription that the changed services have.
 */
async function* listeners(tx: Database, categories: readonly string[]): AsyncIterable<readonly Listener[]> {
  for (let last: string | undefined = ''; last !== undefined; ) {
    const { rows }: { rows: Listener[] } = await sql<Listener>`
      select id, callback_url, events, case when categories is not null then array(
        select unnest(categories) intersect select unnest(${categories}::text[])) end as categories
      from feed_subscriptions
      where status in ('active', 'paused') and id > ${last} order by id limit ${SUBSCRIPTIONS_PER_QUERY}`.execute(tx)
    if (rows.length > 0) yield rows
    last = rows.length < SUBSCRIPTIONS_PER_QUERY ? undefined : rows.at(-1)?.id
  }
}

/** One transaction schedules at most this many deliveries of events per second to one host. */
const POSTS_A_SECOND = 32

/**
 * Spreads the deliveries of events in one transaction over time, so that no host receives too many at once. Returns a
 * function that computes the earliest time of the next delivery to a callback URL.
 */
export function spreadByHost(now: Date): (callback: string) => Date {
  const sent = new Map<string, number>()
  return (callback) => {
    const host = parseUrl(callback)?.hostname ?? ''
    const before = sent.get(host) ?? 0
    sent.set(host, before + 1)
    return new Date(now.getTime() + Math.floor(before / POSTS_A_SECOND) * 1000)
  }
}
