import { isDeepStrictEqual } from 'node:util'
import type { Tx } from '../../infra/db/database.ts'
import { byTurns } from '../../infra/util/long-work.ts'
import type { AvailabilityHint, BusinessDefinition } from '../../protocol/types.generated.ts'
import { recordCatalogueEvents } from './catalogue-events.ts'
import { type Published, published } from './publish.ts'
import { publishedServices, servicesRemove, servicesUpsert } from './service-writes.ts'

/** Publishes the services of a definition. One that reads as before keeps its place in the feed; one gone leaves a tombstone. */
export async function publishCatalogue(tx: Tx, definition: BusinessDefinition, modifiedAt: Date): Promise<void> {
  const before = await publishedServices(tx)
  const kept = new Set(definition.services.map(({ id }) => id))
  // A thousand services, with hundreds of people each, are written and compared for seconds.
  const changed = (
    await byTurns(definition.services, (service) => {
      const was = before.get(service.id)
      const is = withHint(published(service, definition), was?.body.availability_hint)
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

/** A hint is no part of a definition: while the service can be booked it stays, until there is a better one. */
function withHint(service: Published, hint: AvailabilityHint | undefined): Published {
  const { status = 'active' } = service.body
  return hint && status === 'active' ? { ...service, body: { ...service.body, availability_hint: hint } } : service
}
