import { LRUCache } from 'lru-cache'
import { DAY, MINUTE } from '../../infra/time/time-units.ts'
import { singleFlight } from '../../infra/util/memoize.ts'
import type { ProtocolError } from '../../protocol/errors.ts'
import type { EgressResponse } from '../egress/call-external-url.ts'
import { maxAgeOf } from '../egress/send-external-request.ts'
import type { CallerFetchLimits } from '../limits/limit-fetches-for-callers.ts'

/**
 * A kind of document that other hosts publish, such as platform profiles. Callers choose the URLs of these documents.
 */
interface DocumentKind<T> {
  /** Throws an error if the server must not fetch a document at this URL. */
  refuse(url: string): void
  fetch(url: string): Promise<EgressResponse>
  read(response: EgressResponse, url: string): T
  failureOf(cause: unknown): ProtocolError
  sizeOf(document: T): number
}

export interface FetchDependencies {
  clock: () => Date
  fetches: CallerFetchLimits
}

/**
 * Fetches and caches documents of one kind from other hosts. The server fetches a document when a call first needs it.
 * The document stays in the cache for its `max-age`, but between one minute and one day.
 */
export interface FetchedDocuments<T> {
  find(url: string, options: FetchOptions): Promise<T>
  /**
   * Fetches a document again, because the cached version lacks data that a caller needs, such as a key. The server does
   * this at most once a minute for each origin.
   */
  refetch(url: string, options: FetchOptions): Promise<T>
  /**
   * Returns the cached document without waiting, up to a day after its expiry. If the document has expired or
   * `suffices` returns false, the server fetches a new version in the background.
   */
  cached(url: string, options: FetchOptions, suffices: (document: T) => boolean): T | undefined
}

interface FetchOptions {
  /**
   * The IP address of the caller who named the document. The fetch counts against the limit of this caller's address
   * range. Undefined if the server itself needs the document.
   */
  address?: string | undefined
  /**
   * If true, a call never gets an expired document and waits for the new version. If false, a call can get a document
   * that expired less than a minute ago.
   */
  mustBeFresh?: boolean
}

interface Entry<T> {
  document: T
  freshUntil: number
}

interface Failure {
  error: ProtocolError
  until: number
  times: number
}

const MAX_DOCUMENTS = 2_000
/**
 * The maximum number of characters in all cached documents together, because some documents have a thousand keys. At
 * the limit, the cache drops the documents that calls have not used for the longest time.
 */
const MAX_CACHED_CHARACTERS = 32 * 1024 * 1024
const MIN_LIFETIME_MS = MINUTE
const MAX_LIFETIME_MS = DAY
const FIRST_BACKOFF_MS = 5_000

export function fetchedDocuments<T>(kind: DocumentKind<T>, { clock, fetches }: FetchDependencies): FetchedDocuments<T> {
  const entries = new LRUCache<string, Entry<T>>({
    max: MAX_DOCUMENTS,
    maxSize: MAX_CACHED_CHARACTERS,
    sizeCalculation: ({ document }, url) => url.length + kind.sizeOf(document),
  })
  const failures = new LRUCache<string, Failure>({ max: MAX_DOCUMENTS })
  const refreshed = new LRUCache<string, number>({ max: MAX_DOCUMENTS })
  const requests = new Map<string, Promise<T>>()
  const inFlight = new Map<string, Promise<T>>()
  const now = () => clock().getTime()

  /**
   * Fetches a document only once for all calls that need it at the same time. The server counts the fetch once for each
   * IP address of these callers. If one address is over its limit, only its own calls fail.
   */
  const fetchOnce = async (url: string, { address }: FetchOptions, begun = () => {}): Promise<T> => {
    const fetch = (earlierFetches = 0) =>
      singleFlight(requests, url, () => {
        begun()
        return fetchNow(url, earlierFetches)
      })
    if (address === undefined || requests.has(url)) return fetch()
    return singleFlight(inFlight, `${address} ${url}`, () => fetches.counted(address, fetch))
  }

  /** Fetches a document while the call waits. Throws an error if too many calls already wait. */
  const waitFor = (url: string, options: FetchOptions, begun?: () => void): Promise<T> => {
    const { address } = options
    const fetched = () => fetchOnce(url, options, begun)
    return address === undefined ? fetched() : fetches.awaited(address, fetched)
  }

  const fetchNow = async (url: string, earlierFetches: number): Promise<T> => {
    // Only fetches of documents without a cached version count against the limit that all callers share. Therefore many
    // new URLs cannot block the refresh of a cached document.
    if (!entries.has(url)) await fetches.spend(url, earlierFetches)
    try {
      const response = await kind.fetch(url)
      const document = kind.read(response, url)
      entries.set(url, { document, freshUntil: now() + lifetimeOf(response) })
      failures.delete(url)
      return document
    } catch (cause) {
      const error = kind.failureOf(cause)
      const times = (failures.get(url)?.times ?? 0) + 1
      failures.set(url, {
        error,
        times,
        until: now() + Math.min(MIN_LIFETIME_MS * 10, FIRST_BACKOFF_MS * 2 ** (times - 1)),
      })
      throw error
    }
  }

  const find = async (url: string, options: FetchOptions): Promise<T> => {
    const entry = entries.get(url)
    // The server checks the URL of a document only before it fetches the document. The URL of a cached document has
    // already passed this check.
    if (entry && now() < entry.freshUntil) return entry.document
    kind.refuse(url)
    const failure = failures.get(url)
    const isPaused = failure !== undefined && now() < failure.until
    // For one minute after its expiry, the server still uses the cached document. Meanwhile, it fetches the new
    // version.
    if (entry && !options.mustBeFresh && now() < entry.freshUntil + MIN_LIFETIME_MS) {
      if (!isPaused) fetchOnce(url, options).catch(() => {})
      return entry.document
    }
    if (isPaused) throw failure.error
    return waitFor(url, options)
  }

  const findAnew = async (url: string, options: FetchOptions): Promise<T> => {
    const { origin } = new URL(url)
    const last = refreshed.get(origin)
    if (last !== undefined && now() - last < MIN_LIFETIME_MS && !requests.has(url)) return find(url, options)
    return waitFor(url, options, () => refreshed.set(origin, now()))
  }

  const known = (url: string, options: FetchOptions, suffices: (document: T) => boolean): T | undefined => {
    const entry = entries.get(url)
    const { origin } = new URL(url)
    const isPaused = now() < Math.max(failures.get(url)?.until ?? 0, (refreshed.get(origin) ?? 0) + MIN_LIFETIME_MS)
    const isGood = entry && now() < entry.freshUntil && suffices(entry.document)
    if (!isGood && !isPaused) fetchOnce(url, options, () => refreshed.set(origin, now())).catch(() => {})
    return entry && now() < entry.freshUntil + MAX_LIFETIME_MS ? entry.document : undefined
  }

  return { find, refetch: findAnew, cached: known }
}

/**
 * Returns how many milliseconds to cache a fetched document: its `max-age`, but between one minute and one day. Without
 * the minimum, callers could cause a new fetch with each call.
 */
const lifetimeOf = (response: EgressResponse): number =>
  Math.min(MAX_LIFETIME_MS, Math.max(MIN_LIFETIME_MS, maxAgeOf(response) * 1000))
