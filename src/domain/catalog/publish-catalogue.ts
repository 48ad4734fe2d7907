import { isDeepStrictEqual } from 'node:util'
import type { Tx } from '../../infra/db/database.ts'
import { mapWithYields } from '../../infra/util/yield-to-event-loop.ts'
import type { AvailabilityHint, BusinessDefinition } from '../../protocol/types.generated.ts'
import { recordCatalogueEvents } from './catalogue-events.ts'
import { type Published, toPublished } from './published-service.ts'
import { publishedServices, servicesRemove, servicesUpsert } from './store-published-services.ts'

/**
 * Publishes the services of a business definition. Unchanged services keep their position in the catalogue feed (all
 * services in the order of their last change). Removed services stay in the feed, marked as deleted.
 */
export async function publishCatalogue(tx: Tx, definition: BusinessDefinition, modifiedAt: Date): Promise<void> {
  const before = await publishedServices(tx)
  const ids = new Set(definition.services.map(({ id }) => id))
  // Comparing a large catalogue takes seconds. Therefore the server gives other work a turn on the event loop between
  // two services.
  const changed = (
    await mapWithYields(definition.services, (service) => {
      const previous = before.get(service.id)
      const published = withHint(toPublished(service, definition), previous?.body.availability_hint)
      return isDeepStrictEqual(previous, JSON.parse(JSON.stringify(published))) ? [] : [published]
    })
  ).flat()
  await servicesUpsert(tx, changed, modifiedAt)
  const removed = [...before].filter(([id]) => !ids.has(id))
  await servicesRemove(
    tx,
    removed.map(([id]) => id),
    modifiedAt,
  )
  await recordCatalogueEvents(
    tx,
    [
      ...changed.map(({ body }) => ({ before: before.get(body.id)?.body, after: body })),
      ...removed.map(([, { body }]) => ({ before: body, after: undefined })),
    ],
    definition.business.timezone,
    modifiedAt,
  )
}

/**
 * Adds the current availability hint (a summary of free times) to an active service. A business definition contains no
 * hints. Therefore the published service keeps its hint until the server computes a new one.
 */
function withHint(service: Published, hint: AvailabilityHint | undefined): Published {
  const { status = 'active' } = service.body
  return hint && status === 'active' ? { ...service, body: { ...service.body, availability_hint: hint } } : service
}
