import type { FeedItem } from '../protocol/types.generated.ts'
import type { FeedRecord } from './queries.ts'

/** How a record reads to someone who follows the whole catalogue, or one location of it. */
export function feedItem(record: FeedRecord, businessId: string, locationId?: string): FeedItem {
  const left = locationId !== undefined && !record.location_ids.includes(locationId)
  const gone = record.deleted_at !== null || left
  return {
    state: gone ? 'deleted' : 'updated',
    modified_at: new Date(record.modified_at).toISOString(),
    data: gone ? { id: record.id, business_id: businessId } : record.body,
  }
}
