import { notSetUp, zoneOf } from '../../core/business/definition-facts.ts'
import { rfc3339, rfc3339Exact } from '../../infra/time/time-zone.ts'
import { defineOperation } from '../../protocol/define-operation.ts'
import { shape } from '../../protocol/json-schemas.ts'
import type { FeedItem, GetServiceFeed } from '../../protocol/types.generated.ts'
import { CACHE_SECONDS, FEED_CURSOR_SECONDS, FEED_PAGE } from './page-limits.ts'
import { endOfPage, type FeedPosition, type FeedRecord, serviceFeedPage } from './queries.ts'

const BEGINNING: FeedPosition = [0, '']

export const getServiceFeed = defineOperation<GetServiceFeed>({
  id: 'getServiceFeed',
  rest: 'GET /services/feed',
  tool: 'usp_services_feed',
  title: 'Follow the catalogue',
  description:
    'Returns the latest state of every service, oldest change first. Send next_cursor as cursor in the next call to get only later changes. Remove deleted services.',
  capability: 'dev.usp-protocol.services.catalog',
  access: 'public',
  effect: 'read',
  fromStandby: true,
  input: {
    type: 'object',
    properties: {
      cursor: {
        type: ['string', 'null'],
        description: 'Where to resume; leave it out to start from the oldest record.',
      },
      limit: {
        type: 'integer',
        minimum: 1,
        default: FEED_PAGE.usual,
        description: `Records per page, at most ${FEED_PAGE.most}.`,
      },
      location_id: {
        type: 'string',
        description:
          'Only changes that concern this location. A service that is no longer offered there is returned as ' +
          'deleted.',
      },
    },
  },
  output: {
    type: 'object',
    required: ['items', 'pagination', 'feed_meta'],
    properties: {
      items: { type: 'array', items: shape('FeedItem') },
      pagination: {
        type: 'object',
        required: ['cursor', 'next_cursor', 'has_more'],
        properties: {
          cursor: { type: ['string', 'null'], description: 'Cursor of the next page; null on the last page.' },
          next_cursor: {
            type: 'string',
            description: 'The position after this page. Send it as cursor to resume, now or later.',
          },
          has_more: { type: 'boolean' },
        },
      },
      feed_meta: shape('FeedMeta'),
    },
  },
  cache: { seconds: CACHE_SECONDS, identity: ({ items, pagination }) => [items, pagination] },
  summary: ({ items, pagination }) =>
    `${items.length} ${items.length === 1 ? 'record' : 'records'}${pagination.has_more ? ', with more to come' : ''}.`,
  async handle(context) {
    const { input, db, now, cursors } = context
    const scope = `getServiceFeed ${input.location_id ?? ''}`
    const limit = Math.min(input.limit ?? FEED_PAGE.usual, FEED_PAGE.most)
    const position = input.cursor
      ? (cursors.open(scope, input.cursor, now, FEED_CURSOR_SECONDS) as FeedPosition)
      : BEGINNING

    const feed = await serviceFeedPage(db, position, limit, input.location_id)
    if (!feed) throw notSetUp()
    const { records } = feed
    const last = records.at(-1)
    const next = cursors.seal(scope, last ? [Date.parse(last.modified_at), last.id] : position, new Date(0))
    const hasMore = endOfPage(records) !== undefined
    const zone = await zoneOf(context)
    return {
      items: records.map((record) => feedItem(record, { id: feed.business_id, zone }, input.location_id)),
      pagination: { cursor: hasMore ? next : null, next_cursor: next, has_more: hasMore },
      feed_meta: {
        feed_generated_at: rfc3339(zone, now.getTime()),
        total_services: feed.total,
        feed_status: 'healthy',
      },
    }
  },
})

interface FeedOf {
  id: string
  zone: string
}

/**
 * Makes one item of the catalogue feed (all services in the order of their last change). If the caller reads the feed
 * of one location, a service that the location no longer offers counts as deleted.
 */
function feedItem(record: FeedRecord, business: FeedOf, locationId?: string): FeedItem {
  const isElsewhere = locationId !== undefined && !record.location_ids.includes(locationId)
  const isDeleted = record.deleted_at !== null || isElsewhere
  return {
    state: isDeleted ? 'deleted' : 'updated',
    modified_at: rfc3339Exact(business.zone, new Date(record.modified_at)),
    data: isDeleted ? { id: record.id, business_id: business.id } : record.body,
  }
}
