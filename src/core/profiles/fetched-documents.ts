import { LRUCache } from 'lru-cache'
import { DAY, MINUTE } from '../../infra/time/units.ts'
import { singleFlight } from '../../infra/util/memoize.ts'
import type { ProtocolError } from '../../protocol/errors.ts'
import type { EgressResponse } from '../egress/egress.ts'
import { maxAgeOf } from '../egress/send-outside.ts'
import type { CallerFetchLimits } from '../limits/caller-fetch-limits.ts'

/** One kind of published document, at addresses that callers name. */
interface DocumentKind<T> {
  /** Throws for an address that is not fetched. */
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

/** Documents of one kind. Each is fetched on first use and cached for its max-age, at least a minute. */
export interface FetchedDocuments<T> {
  find(url: string, options: FetchOptions): Promise<T>
  /** Fetches the document again because it lacks something that a caller used. At most once a minute for each origin. */
  refetch(url: string, options: FetchOptions): Promise<T>
  /**
   * The cached document, up to a day after its end. Never waits: an expired or insufficient document is fetched in the
   * background.
   */
  cached(url: string, options: FetchOptions, suffices: (document: T) => boolean): T | undefined
}

interface FetchOptions {
  /** The address of the caller that named the document; the fetch counts for it. None where this server itself fetches. */
  address?: string | undefined
  /** Waits for the current document as soon as the cached one has expired. */
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
/** Characters of all cached documents: some have a thousand keys. The cache drops the least recently used documents. */
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
   * Callers of one document share one fetch. It counts once for each address that called before it began. An address over
   * its limit then fails, and another address may still fetch.
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

  /** Fetches while the call waits, under the limit of waiting calls. */
  const waitFor = (url: string, options: FetchOptions, begun?: () => void): Promise<T> => {
    const { address } = options
    const fetched = () => fetchOnce(url, options, begun)
    return address === undefined ? fetched() : fetches.awaited(address, fetched)
  }

  const fetchNow = async (url: string, earlierFetches: number): Promise<T> => {
    // Only unknown documents use the shared budget: new addresses must not block the refresh of a known document.
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
    // A document that was fetched before has passed `refuse`.
    if (entry && now() < entry.freshUntil) return entry.document
    kind.refuse(url)
    const failure = failures.get(url)
    const isPaused = failure !== undefined && now() < failure.until
    // A document that expired within the last minute still serves while the new one is fetched.
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

/** The max-age of the answer, at least a minute: callers must not make this server fetch at will. */
const lifetimeOf = (response: EgressResponse): number =>
  Math.min(MAX_LIFETIME_MS, Math.max(MIN_LIFETIME_MS, maxAgeOf(response) * 1000))
