import { LRUCache } from 'lru-cache'
import { singleFlight } from '../basics/single-flight.ts'
import type { Config } from '../config/config.ts'
import { checkedUrl, type EgressResponse, fetchDocument } from '../egress/egress.ts'
import { countFetchFor, fetchBudget } from '../limits/fetch-budget.ts'
import { limitOutboundCalls } from '../limits/outbound-calls.ts'
import { limitWaitingCalls } from '../limits/waiting-calls.ts'
import { type PlatformMember, standalone } from '../protocol/deployment.ts'
import { ProtocolError } from '../protocol/errors.ts'
import type { Means } from '../protocol/means.ts'
import type { PlatformProfile } from '../protocol/types.generated.ts'
import { DAY, MINUTE } from '../time/units.ts'
import { profileFailure } from './profile-document.ts'
import { type ReadProfile, readProfile, WHOSE } from './read-profile.ts'

export interface PlatformProfiles {
  /**
   * The profile at the address, fetched on first use and kept for as long as its server says, a minute at least. Its
   * capabilities must stand under one of the members. What has to be fetched counts for the address that named it.
   */
  get(url: string, asker: Asker): Promise<PlatformProfile>
  /** Fetches it anew because it lacks a key that a caller used; at most once a minute for each origin. */
  refresh(url: string, asker: Asker): Promise<PlatformProfile>
}

/** Who wants a profile, and which form of it. */
export interface Asker {
  /** Of the caller that named it; none where this server wants it for itself. */
  address?: string | undefined
  members?: readonly PlatformMember[]
}

interface Entry extends ReadProfile {
  freshUntil: number
}

interface Failure {
  error: ProtocolError
  until: number
  /** How often in a row. */
  times: number
}

const MOST_PROFILES = 2_000
/** Characters of all that are kept: some have a thousand keys. Those that were not used for longest make room. */
const MOST_KEPT = 32 * 1024 * 1024
const FLOOR = MINUTE
const CEILING = DAY
const FIRST_BACKOFF = 5_000

export function platformProfiles(
  config: Config,
  means: Means<'db' | 'business' | 'limits'>,
  clock: () => Date,
): PlatformProfiles {
  const entries = new LRUCache<string, Entry>({
    max: MOST_PROFILES,
    maxSize: MOST_KEPT,
    sizeCalculation: ({ profile }, url) => url.length + JSON.stringify(profile).length,
  })
  const failures = new LRUCache<string, Failure>({ max: MOST_PROFILES })
  const refreshed = new LRUCache<string, number>({ max: MOST_PROFILES })
  const underway = new Map<string, Promise<ReadProfile>>()
  const inFlight = new Map<string, Promise<ReadProfile>>()
  const budget = fetchBudget(means.db)
  const inTurn = limitWaitingCalls(config)
  const now = () => clock().getTime()

  /**
   * Callers that ask for one profile at once share one fetch. It counts once for each address among them that came before
   * it began: what one may not ask for any more, another may.
   */
  const fetchOnce = async (url: string, { address }: Asker, begun = () => {}): Promise<ReadProfile> => {
    const fetch = (had = 0) =>
      singleFlight(underway, url, () => {
        begun()
        return fetchNow(url, had)
      })
    if (address === undefined || underway.has(url)) return fetch()
    return singleFlight(inFlight, `${address} ${url}`, () =>
      limitOutboundCalls(address, async () => fetch(await countFetchFor(address, means, clock()))),
    )
  }

  /** The same for a call that can do nothing meanwhile. */
  const waitFor = (url: string, asker: Asker, begun?: () => void): Promise<ReadProfile> => {
    const { address } = asker
    return address === undefined ? fetchOnce(url, asker, begun) : inTurn(address, () => fetchOnce(url, asker, begun))
  }

  /** For a network that had so many before. */
  const fetchNow = async (url: string, had: number): Promise<ReadProfile> => {
    // What is known already is fetched once a minute at most: others that are new do not keep it from being so.
    if (!entries.has(url)) await budget.spend(url, had, clock())
    try {
      const response = await fetchDocument(url, config)
      const read = readProfile(response)
      entries.set(url, { ...read, freshUntil: now() + lifetimeOf(response) })
      failures.delete(url)
      return read
    } catch (cause) {
      const error = profileFailure(cause, WHOSE)
      const times = (failures.get(url)?.times ?? 0) + 1
      failures.set(url, { error, times, until: now() + Math.min(FLOOR * 10, FIRST_BACKOFF * 2 ** (times - 1)) })
      throw error
    }
  }

  const find = async (url: string, asker: Asker): Promise<ReadProfile> => {
    const entry = entries.get(url)
    // It was fetched, so it may be.
    if (entry && now() < entry.freshUntil) return entry
    refuse(url, config)
    const failure = failures.get(url)
    const isPaused = failure !== undefined && now() < failure.until
    // A profile just past its time still serves while the new one is fetched.
    if (entry && now() < entry.freshUntil + FLOOR) {
      if (!isPaused) fetchOnce(url, asker).catch(() => {})
      return entry
    }
    if (isPaused) throw failure.error
    return waitFor(url, asker)
  }

  const findAnew = async (url: string, asker: Asker): Promise<ReadProfile> => {
    const { origin } = new URL(url)
    const last = refreshed.get(origin)
    if (last !== undefined && now() - last < FLOOR && !underway.has(url)) return find(url, asker)
    return waitFor(url, asker, () => refreshed.set(origin, now()))
  }

  return {
    get: async (url, asker) => readable(await find(url, asker), asker),
    refresh: async (url, asker) => readable(await findAnew(url, asker), asker),
  }
}

function refuse(url: string, config: Config) {
  try {
    checkedUrl(url, config)
  } catch (error) {
    throw profileFailure(error, WHOSE)
  }
  if (config.profileAllowlist.length > 0 && !config.profileAllowlist.includes(url))
    throw new ProtocolError(
      'profile_not_trusted',
      'This business serves selected platforms only, and yours is not among them.',
    )
}

/** Whether what was read may be read here is asked on each use: the business may have changed its deployment since. */
function readable({ profile, member }: ReadProfile, { members = standalone.platformMembers }: Asker): PlatformProfile {
  if (members.includes(member)) return profile
  throw new ProtocolError('profile_malformed', `The platform profile must have the member ${members.join(' or ')}.`)
}

/** As long as Cache-Control says, but never so short that a caller could make us fetch at will. */
function lifetimeOf({ headers }: EgressResponse): number {
  const [, seconds] = /(?:^|[\s,])max-age=(\d{1,9})/i.exec(String(headers['cache-control'] ?? '')) ?? []
  return Math.min(CEILING, Math.max(FLOOR, Number(seconds ?? 0) * 1000))
}
