import { LRUCache } from 'lru-cache'
import { DAY, MINUTE } from '../../infra/time/units.ts'
import { singleFlight } from '../../infra/util/single-flight.ts'
import type { ProtocolError } from '../../protocol/errors.ts'
import type { EgressResponse } from '../egress/egress.ts'
import { maxAgeOf } from '../egress/max-age.ts'
import type { FetchesForCallers } from '../limits/fetches-for-callers.ts'

/** What somebody publishes at an address that callers name. */
interface Kind<T> {
  /** Throws for an address that is not fetched. */
  refuse(url: string): void
  fetch(url: string): Promise<EgressResponse>
  read(response: EgressResponse): T
  failureOf(cause: unknown): ProtocolError
  /** Characters of what is kept of it. */
  sizeOf(document: T): number
}

/** The clock, and what bounds what callers have fetched. */
export interface FetchMeans {
  clock: () => Date
  fetches: FetchesForCallers
}

/** Documents of one kind, each fetched on first use and kept for as long as its server says, a minute at least. */
export interface FetchedDocuments<T> {
  find(url: string, asker: Asking): Promise<T>
  /** Fetches it anew because it lacks what a caller used; at most once a minute for each origin. */
  findAnew(url: string, asker: Asking): Promise<T>
  /** What is known of it, for a day longer if need be. What is old or does not suffice is fetched anew while nobody waits. */
  known(url: string, asker: Asking, suffices: (document: T) => boolean): T | undefined
}

interface Asking {
  /** The address of the caller that named the document; the fetch counts for it. None where this server itself wants it. */
  address?: string | undefined
  /** Waits for the current document as soon as the kept one is past its time. */
  mustBeFresh?: boolean
}

interface Entry<T> {
  document: T
  freshUntil: number
}

interface Failure {
  error: ProtocolError
  until: number
  /** How often in a row. */
  times: number
}

const MOST_DOCUMENTS = 2_000
/** Characters of all that are kept: some have a thousand keys. Those that were not used for longest make room. */
const MOST_KEPT = 32 * 1024 * 1024
const FLOOR = MINUTE
const CEILING = DAY
const FIRST_BACKOFF = 5_000

export function fetchedDocuments<T>(kind: Kind<T>, { clock, fetches }: FetchMeans): FetchedDocuments<T> {
  const entries = new LRUCache<string, Entry<T>>({
    max: MOST_DOCUMENTS,
    maxSize: MOST_KEPT,
    sizeCalculation: ({ document }, url) => url.length + kind.sizeOf(document),
  })
  const failures = new LRUCache<string, Failure>({ max: MOST_DOCUMENTS })
  const refreshed = new LRUCache<string, number>({ max: MOST_DOCUMENTS })
  const underway = new Map<string, Promise<T>>()
  const inFlight = new Map<string, Promise<T>>()
  const now = () => clock().getTime()

  /**
   * Callers that ask for one document at once share one fetch. It counts once for each address among them that came before
   * it began: what one may not ask for any more, another may.
   */
  const fetchOnce = async (url: string, { address }: Asking, begun = () => {}): Promise<T> => {
    const fetch = (had = 0) =>
      singleFlight(underway, url, () => {
        begun()
        return fetchNow(url, had)
      })
    if (address === undefined || underway.has(url)) return fetch()
    return singleFlight(inFlight, `${address} ${url}`, () => fetches.counted(address, fetch))
  }

  /** The same for a call that can do nothing meanwhile. */
  const waitFor = (url: string, asker: Asking, begun?: () => void): Promise<T> => {
    const { address } = asker
    const fetched = () => fetchOnce(url, asker, begun)
    return address === undefined ? fetched() : fetches.awaited(address, fetched)
  }

  /** For a network that had so many before. */
  const fetchNow = async (url: string, had: number): Promise<T> => {
    // What is known already is fetched once a minute at most: others that are new do not keep it from being so.
    if (!entries.has(url)) await fetches.spend(url, had)
    try {
      const response = await kind.fetch(url)
      const document = kind.read(response)
      entries.set(url, { document, freshUntil: now() + lifetimeOf(response) })
      failures.delete(url)
      return document
    } catch (cause) {
      const error = kind.failureOf(cause)
      const times = (failures.get(url)?.times ?? 0) + 1
      failures.set(url, { error, times, until: now() + Math.min(FLOOR * 10, FIRST_BACKOFF * 2 ** (times - 1)) })
      throw error
    }
  }

  const find = async (url: string, asker: Asking): Promise<T> => {
    const entry = entries.get(url)
    // It was fetched, so it may be.
    if (entry && now() < entry.freshUntil) return entry.document
    kind.refuse(url)
    const failure = failures.get(url)
    const isPaused = failure !== undefined && now() < failure.until
    // What is just past its time still serves while the new one is fetched.
    if (entry && !asker.mustBeFresh && now() < entry.freshUntil + FLOOR) {
      if (!isPaused) fetchOnce(url, asker).catch(() => {})
      return entry.document
    }
    if (isPaused) throw failure.error
    return waitFor(url, asker)
  }

  const findAnew = async (url: string, asker: Asking): Promise<T> => {
    const { origin } = new URL(url)
    const last = refreshed.get(origin)
    if (last !== undefined && now() - last < FLOOR && !underway.has(url)) return find(url, asker)
    return waitFor(url, asker, () => refreshed.set(origin, now()))
  }

  const known = (url: string, asker: Asking, suffices: (document: T) => boolean): T | undefined => {
    const entry = entries.get(url)
    const { origin } = new URL(url)
    const isPaused = now() < Math.max(failures.get(url)?.until ?? 0, (refreshed.get(origin) ?? 0) + FLOOR)
    const isGood = entry && now() < entry.freshUntil && suffices(entry.document)
    if (!isGood && !isPaused) fetchOnce(url, asker, () => refreshed.set(origin, now())).catch(() => {})
    return entry && now() < entry.freshUntil + CEILING ? entry.document : undefined
  }

  return { find, findAnew, known }
}

/** As long as Cache-Control says, but never so short that a caller could make us fetch at will. */
const lifetimeOf = (response: EgressResponse): number => Math.min(CEILING, Math.max(FLOOR, maxAgeOf(response) * 1000))
