import { callOutside, EgressError, type EgressResponse } from '../../../core/egress/call-external-url.ts'
import { maxAgeOf } from '../../../core/egress/send-external-request.ts'
import type { Config } from '../../../infra/config/read-config.ts'
import { asRecord } from '../../../infra/util/object-members.ts'
import { moneyReader } from '../../../protocol/convert-money-strings.ts'
import { problemType } from '../../../protocol/errors.ts'
import { shape } from '../../../protocol/json-schemas.ts'
import { type Bounds, isStorable, readJson } from '../../../protocol/parse-json-safely.ts'
import { compile } from '../../../protocol/schema-validator.ts'
import type { AvailabilityHint, FeedMeta, Service } from '../../../protocol/types.generated.ts'
import { isIndexable } from './indexed-service.ts'

const TIMEOUT = 8_000
const MOST_BYTES = 4 * 1024 * 1024
export const feedBounds: Bounds = { deepest: 64, mostValues: 40_000, longestText: 256 * 1024 }
const LIMIT = 50
/** One page of a catalogue feed has at most this many items. The directory refuses larger pages. */
const MOST_ITEMS = 1_000
const LONGEST = { id: 200, cursor: 2_000 }

/**
 * This error means that the directory cannot read a catalogue feed. `retryAfter` is the wait in seconds that the
 * business asks for in the header `Retry-After`.
 */
export class FeedError extends Error {
  readonly retryAfter: number | undefined

  constructor(message: string, retryAfter?: number) {
    super(message)
    this.retryAfter = retryAfter
  }
}

export interface FeedPage {
  /**
   * Maps the id of each changed service to the service. The value is null if the business no longer offers the service,
   * or if the directory cannot read its feed item.
   */
  changes: Map<string, Service | null>
  /** `items` counts all items of the feed page. `unreadable` counts the items that the directory cannot read. */
  items: number
  unreadable: number
  /** The cursor of the next page. Null if the feed names no cursor. */
  next: string | null
  hasMore: boolean
  status: FeedMeta['feed_status']
  /** The number of seconds for which the answer of the business stays fresh, according to the business. */
  maxAge: number
}

/**
 * Reads one page of a catalogue feed. Returns `expired` if the business no longer knows the cursor (the position in the
 * feed).
 */
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
 * Whether the answer of a business says that the feed cursor (the position in the feed) has expired. The code for this
 * can be in an error or in a message, with any HTTP status. Some errors contain only the error type.
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

/**
 * Converts amounts of money from strings to numbers, because some businesses write amounts as strings. Returns
 * undefined if an amount is too large for a number.
 */
function withNumbers(service: Service): unknown {
  const { value, fault } = readMoney?.(service) ?? { value: service }
  return fault ? undefined : value
}

/**
 * Reads the service in a feed item. If its availability hint (a text and bitmaps about its free times) is malformed,
 * the function removes the hint.
 */
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
 * Reads one item of a feed page. If an unreadable item has an id, the result contains this id. The caller then removes
 * the service from the index.
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
