import { rfc3339Exact } from '../../infra/time/zone.ts'
import type { FeedItem } from '../../protocol/types.generated.ts'
import type { FeedRecord } from './queries.ts'

interface FeedOf {
  id: string
  zone: string
}

/**
 * The feed item for a reader of the whole catalogue, or of one location. A service that left the location reads as deleted.
 */
export function feedItem(record: FeedRecord, business: FeedOf, locationId?: string): FeedItem {
  const left = locationId !== undefined && !record.location_ids.includes(locationId)
  const gone = record.deleted_at !== null || left
  return {
    state: gone ? 'deleted' : 'updated',
    modified_at: rfc3339Exact(business.zone, new Date(record.modified_at)),
    data: gone ? { id: record.id, business_id: business.id } : record.body,
  }
}
