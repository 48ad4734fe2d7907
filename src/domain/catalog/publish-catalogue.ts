import { isDeepStrictEqual } from 'node:util'
import type { Tx } from '../../infra/db/database.ts'
import { mapWithYields } from '../../infra/util/time-slice.ts'
import type { AvailabilityHint, BusinessDefinition } from '../../protocol/types.generated.ts'
import { recordCatalogueEvents } from './catalogue-events.ts'
import { type Published, toPublished } from './publish.ts'
import { publishedServices, servicesRemove, servicesUpsert } from './service-writes.ts'

/**
 * Publishes the services of a definition. An unchanged service keeps its place in the feed. A removed service leaves a
 * tombstone.
 */
export async function publishCatalogue(tx: Tx, definition: BusinessDefinition, modifiedAt: Date): Promise<void> {
  const before = await publishedServices(tx)
  const kept = new Set(definition.services.map(({ id }) => id))
  // Yields to the event loop: a thousand services with hundreds of people each take seconds.
  const changed = (
    await mapWithYields(definition.services, (service) => {
      const was = before.get(service.id)
      const is = withHint(toPublished(service, definition), was?.body.availability_hint)
      return isDeepStrictEqual(was, JSON.parse(JSON.stringify(is))) ? [] : [is]
    })
  ).flat()
  await servicesUpsert(tx, changed, modifiedAt)
  const gone = [...before].filter(([id]) => !kept.has(id))
  await servicesRemove(
    tx,
    gone.map(([id]) => id),
    modifiedAt,
  )
  await recordCatalogueEvents(
    tx,
    [
      ...changed.map(({ body }) => ({ before: before.get(body.id)?.body, after: body })),
      ...gone.map(([, { body }]) => ({ before: body, after: undefined })),
    ],
    definition.business.timezone,
    modifiedAt,
  )
}

/** A definition contains no hint. The old hint stays until the next one while the service is active. */
function withHint(service: Published, hint: AvailabilityHint | undefined): Published {
  const { status = 'active' } = service.body
  return hint && status === 'active' ? { ...service, body: { ...service.body, availability_hint: hint } } : service
}
