import { sql } from 'kysely'
import { newId } from '../basics/new-id.ts'
import type { Database } from '../db/database.ts'
import { pacing } from '../events/pacing.ts'
import { TO_SUBSCRIPTION } from '../events/receivers.ts'
import { recordEvent } from '../events/record-event.ts'
import type { Service } from '../protocol/types.generated.ts'
import { writtenExactly } from '../time/zone.ts'

export type CatalogueEventType = 'service.created' | 'service.updated' | 'service.deleted' | 'service.suspended'

/** A service before and after; nothing on the side on which it did not exist. */
export interface ServiceChange {
  before: Service | undefined
  after: Service | undefined
}

export function catalogueEvent({ before, after }: ServiceChange): CatalogueEventType {
  if (!after) return 'service.deleted'
  if (!before) return 'service.created'
  return after.status === 'suspended' && before.status !== 'suspended' ? 'service.suspended' : 'service.updated'
}

/** Tells every subscription that wants to know, in the transaction that changes the catalogue. */
export async function recordCatalogueEvents(
  tx: Database,
  changes: ServiceChange[],
  zone: string,
  now: Date,
): Promise<void> {
  const subscriptions = changes.length === 0 ? [] : await listeners(tx)
  if (subscriptions.length === 0) return
  const notBefore = pacing(now)
  for (const change of changes) {
    const event = catalogueEvent(change)
    const service = change.after ?? change.before
    if (!service) continue
    // Who follows a category learns that a service leaves it: what it was in before counts as well.
    const categories = categoriesOf(change.before).concat(categoriesOf(change.after))
    const receivers = subscriptions
      .filter(({ events }) => !events || events.includes(event))
      .filter((one) => !one.categories || one.categories.some((id) => categories.includes(id)))
      .map(({ id, callback_url }) => ({ receiver: TO_SUBSCRIPTION + id, notBefore: notBefore(callback_url) }))
    const hasData = event === 'service.created' || event === 'service.updated'
    const id = newId('evt')
    const timestamp = writtenExactly(zone, now)
    const body = { event, event_id: id, service_id: service.id, timestamp, ...(hasData && { data: service }) }
    await recordEvent(tx, { id, type: event, subject: `service ${service.id}`, content: { body } }, receivers, now)
  }
}

const categoriesOf = (service: Service | undefined): string[] =>
  (service?.categories ?? []).flatMap(({ id }) => id ?? [])

interface Listener {
  id: string
  callback_url: string
  categories: string[] | null
  events: string[] | null
}

/** Paused ones too: they are told when they go on. */
async function listeners(tx: Database) {
  const { rows } = await sql<Listener>`
    select id, callback_url, categories, events from feed_subscriptions where status in ('active', 'paused') order by id`.execute(
    tx,
  )
  return rows
}
