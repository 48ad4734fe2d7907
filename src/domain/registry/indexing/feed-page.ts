import { callOutside, EgressError, type EgressResponse } from '../../../core/egress/egress.ts'
import { maxAgeOf } from '../../../core/egress/send-outside.ts'
import type { Config } from '../../../infra/config/config.ts'
import { asRecord } from '../../../infra/util/object-members.ts'
import { problemType } from '../../../protocol/errors.ts'
import { type Bounds, isStorable, readJson } from '../../../protocol/json.ts'
import { moneyReader } from '../../../protocol/money-strings.ts'
import { shape } from '../../../protocol/schemas.ts'
import type { AvailabilityHint, FeedMeta, Service } from '../../../protocol/types.generated.ts'
import { compile } from '../../../protocol/validator.ts'
import { isIndexable } from './indexed-service.ts'

const TIMEOUT = 8_000
const MOST_BYTES = 4 * 1024 * 1024
export const feedBounds: Bounds = { deepest: 64, mostValues: 40_000, longestText: 256 * 1024 }
const LIMIT = 50
/** The most items of one page. The directory refuses a page with more items. */
const MOST_ITEMS = 1_000
const LONGEST = { id: 200, cursor: 2_000 }

/** The error if the directory cannot read a feed. `retryAfter` has the seconds of the `Retry-After` header. */
export class FeedError extends Error {
  readonly retryAfter: number | undefined

  constructor(message: string, retryAfter?: number) {
    super(message)
    this.retryAfter = retryAfter
  }
}

export interface FeedPage {
  /**
   * The changed services by id. A service is null if the business no longer offers it, or if its item cannot be read.
   */
  changes: Map<string, Service | null>
  /** `items` counts all items of the page. `unreadable` counts the items that cannot be read. */
  items: number
  unreadable: number
  /** The cursor of the next page. Null if the feed names none. */
  next: string | null
  hasMore: boolean
  status: FeedMeta['feed_status']
  /** The answer of the business stays fresh for this number of seconds, as the business declares. */
  maxAge: number
}

/** Reads one page of a catalogue feed. Returns `expired` if the business no longer knows the cursor. */
export async function feedPage(endpoint: string, cursor: string | null, config: Config): Promise<FeedPage | 'expired'> {
  const address = URL.parse(`${endpoint}/services/feed`)
  if (!address) throw new FeedError('The feed has no address.')
  address.searchParams.set('limit', String(LIMIT))
  if (cursor !== null) address.searchParams.set('cursor', cursor)
  const headers = { accept: 'application/json', 'user-agent': `usp-registry (+${config.baseUrl})` }
  const request = { headers, timeout: TIMEOUT, mostBytes: MOST_BYTES }
  const response = await callOutside(address.href, request, config).catch((error) => {
    throw error instanceof EgressError ? new FeedError(`The feed ${error.message}.`) : error
  })
  return readPage(response, cursor)
}

export function readPage(response: EgressResponse, cursor: string | null): FeedPage | 'expired' {
  const body = bodyOf(response)
  if (cursor !== null && isExpired(body)) return 'expired'
  if (response.status !== 200)
    throw new FeedError(`The feed answered ${response.status}.`, retryAfterOf(response.headers))
  return pageOf(body, cursor, response)
}

function bodyOf({ status, body }: EgressResponse): unknown {
  try {
    return readJson(body, feedBounds)
  } catch {
    if (status !== 200) return undefined
    throw new FeedError('The feed is not JSON, or it is too large.')
  }
}

/**
 * Whether the answer reports an expired cursor. Businesses report this as an error or as a message, with any HTTP
 * status. An error may have only its type.
 */
const isExpired = (body: unknown): boolean =>
  asRecord(body).type === problemType('cursor_expired') ||
  [body, ...listed(asRecord(body).messages)].some((message) => asRecord(message).code === 'cursor_expired')

function pageOf(body: unknown, cursor: string | null, { headers }: EgressResponse): FeedPage {
  const { items, pagination, feed_meta: meta } = asRecord(body)
  const { cursor: current, next_cursor: next = current, has_more: hasMore } = asRecord(pagination)
  if (!Array.isArray(items) || items.length > MOST_ITEMS || typeof hasMore !== 'boolean')
    throw new FeedError('The answer is not a page of a feed.')
  if (hasMore && (!isStorableCursor(next) || next === cursor))
    throw new FeedError('The feed has no usable cursor for its next page.')
  const read = items.map(readItem)
  return {
    changes: new Map(read.flatMap(({ id, service }) => (id === undefined ? [] : [[id, service ?? null]]))),
    items: items.length,
    unreadable: read.filter(({ isReadable }) => !isReadable).length,
    next: isStorableCursor(next) ? next : null,
    hasMore,
    status: statuses.find((status) => status === asRecord(meta).feed_status) ?? 'healthy',
    maxAge: maxAgeOf({ headers }),
  }
}

const isStorableCursor = (cursor: unknown): cursor is string =>
  typeof cursor === 'string' && cursor.length <= LONGEST.cursor && isStorable(cursor)

const statuses = ['healthy', 'degraded', 'rebuilding'] as const
const isValid = compile(shape('Service'))
const isService = (data: unknown): data is Service => isValid(data)
const readMoney = moneyReader(shape('Service'))
const isValidHint = compile(shape('AvailabilityHint'))
const isHint = (hint: unknown): hint is AvailabilityHint => isValidHint(hint)

/** Other businesses may write amounts as decimal strings. An amount that is too large makes the item unreadable. */
function withNumbers(service: Service): unknown {
  const { value, tooLarge } = readMoney?.(service) ?? { value: service }
  return tooLarge === undefined ? value : undefined
}

/** Reads the service of an item. If its hint is malformed, the service stays in the index without the hint. */
function readService(data: unknown): Service | undefined {
  const { availability_hint: hint, ...described } = asRecord(data)
  const service = isService(described) ? withNumbers(described) : undefined
  if (!isService(service)) return undefined
  return isHint(hint) ? { ...service, availability_hint: hint } : service
}

interface ReadItem {
  id?: string
  service?: Service
  isReadable: boolean
}

/**
 * Reads one item of a page. If an unreadable item has an id, the result contains the id, so that the caller removes the
 * indexed service.
 */
function readItem(item: unknown): ReadItem {
  const { state, data } = asRecord(item)
  const id: unknown = asRecord(data).id
  if (typeof id !== 'string' || id.length > LONGEST.id || !isStorable(item)) return { isReadable: false }
  if (state === 'deleted') return { id, isReadable: true }
  const service = state === 'updated' ? readService(data) : undefined
  if (!service) return { id, isReadable: false }
  return isIndexable(service) ? { id, service, isReadable: true } : { id, isReadable: true }
}

function retryAfterOf(headers: EgressResponse['headers']): number | undefined {
  const value = headers['retry-after']
  if (typeof value !== 'string') return undefined
  const seconds = /^\d{1,6}$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined
}

const listed = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
