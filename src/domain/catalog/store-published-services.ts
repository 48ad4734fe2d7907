import { sql } from 'kysely'
import type { Tx } from '../../infra/db/database.ts'
import { chunks } from '../../infra/util/split-into-chunks.ts'
import { mapWithYields } from '../../infra/util/yield-to-event-loop.ts'
import { type Published, priceBounds } from './published-service.ts'
import { searchTexts, searchVector } from './search-words.ts'

const BATCH = 500

export async function publishedServices(tx: Tx): Promise<Map<string, Published>> {
  const { rows } = await sql<Published>`
    select body, resource_texts from services where deleted_at is null`.execute(tx)
  return new Map(rows.map(({ body, resource_texts }) => [body.id, { body, resource_texts }]))
}

export async function servicesUpsert(tx: Tx, services: Published[], modifiedAt: Date): Promise<void> {
  for (const batch of chunks(services, BATCH))
    await tx
      .insertInto('services')
      .values(await mapWithYields(batch, (service) => rowOf(service, modifiedAt)))
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet(({ ref }) => ({
          body: ref('excluded.body'),
          resource_texts: ref('excluded.resource_texts'),
          type: ref('excluded.type'),
          status: ref('excluded.status'),
          category_ids: ref('excluded.category_ids'),
          location_ids: ref('excluded.location_ids'),
          past_location_ids: sql`array(select distinct unnest(services.past_location_ids || excluded.location_ids) order by 1)`,
          price_from: ref('excluded.price_from'),
          price_to: ref('excluded.price_to'),
          currency: ref('excluded.currency'),
          search_words: ref('excluded.search_words'),
          search_names: ref('excluded.search_names'),
          search_text: ref('excluded.search_text'),
          modified_at: ref('excluded.modified_at'),
          deleted_at: null,
        })),
      )
      .execute()
}

export async function servicesRemove(tx: Tx, ids: string[], modifiedAt: Date): Promise<void> {
  if (ids.length === 0) return
  await tx
    .updateTable('services')
    .set({ deleted_at: modifiedAt, modified_at: modifiedAt })
    .where('id', 'in', ids)
    .execute()
}

function rowOf({ body: service, resource_texts }: Published, modified_at: Date) {
  const texts = searchTexts(service)
  const { from, to } = priceBounds(service.pricing)
  const location_ids = (service.locations ?? []).flatMap(({ id }) => id ?? [])
  return {
    id: service.id,
    body: JSON.stringify(service),
    resource_texts: JSON.stringify(resource_texts),
    type: service.type,
    status: service.status ?? 'active',
    category_ids: (service.categories ?? []).flatMap(({ id }) => id ?? []),
    location_ids,
    past_location_ids: location_ids,
    price_from: from,
    price_to: to,
    currency: service.pricing.currency,
    search_words: searchVector(texts),
    search_names: texts.names,
    search_text: texts.all,
    modified_at,
    deleted_at: null,
  }
}
