import { checkedUrl } from '../../../core/egress/call-external-url.ts'
import { countFetchFor } from '../../../core/limits/fetch-limit-per-host.ts'
import { limitOutboundCalls } from '../../../core/limits/limit-fetches-for-callers.ts'
import { countInMinute, rateLimitError } from '../../../core/limits/rate-limits.ts'
import { PUBLISH_KEY_HINT } from '../../../core/limits/stranger-caller-quota.ts'
import { profileFailure } from '../../../core/profiles/profile-document.ts'
import type { Config } from '../../../infra/config/read-config.ts'
import { siteOf } from '../../../infra/net/ip-addresses.ts'
import { isZone } from '../../../infra/time/time-zone.ts'
import { omitUndefined } from '../../../infra/util/object-members.ts'
import { limitConcurrency } from '../../../infra/util/semaphore.ts'
import type { Context } from '../../../protocol/define-operation.ts'
import type { Dependencies } from '../../../protocol/dependency-types.ts'
import { invalidInput, ProtocolError } from '../../../protocol/errors.ts'
import type { RegistrationRequest, RegistryLocation } from '../../../protocol/types.generated.ts'
import { mapPoint } from '../indexing/indexed-service.ts'
import { type PublishedBusiness, readBusinessProfile } from '../indexing/read-business-profile.ts'
import { FeedError, feedPage } from '../indexing/read-feed-page.ts'
import { strangersListings } from './registration-queries.ts'

/**
 * The server fetches at most this many business profiles per minute from one host to check new or changed
 * registrations.
 */
const MOST_FETCHES = 60

/**
 * The server advises a refused caller to register again after this many seconds. The number is a guess, because the
 * server does not know when another registration will be removed.
 */
const RETRY_AFTER = 3600

/** The server reads at most this many business profiles in parallel, because each profile takes time and memory. */
const AT_ONCE = 50
const limitProfileReads = limitConcurrency(AT_ONCE)

/**
 * Checks the data of a registration, and returns them in a standard form. The profile URL gets a standard spelling. The
 * location keeps only the properties that the directory shows.
 */
export function checkedListing(listing: RegistrationRequest, config: Config): RegistrationRequest {
  if (!isZone(listing.timezone))
    throw new ProtocolError(
      'validation_error',
      `${listing.timezone} is not an IANA time zone such as America/New_York.`,
      {
        errors: [{ field: 'timezone', message: 'is not an IANA time zone' }],
      },
    )
  const { location, ...others } = listing
  const place = location && placeOf(location)
  return { ...others, profile_url: checkedAddress(listing.profile_url, config), ...(place && { location: place }) }
}

/**
 * Returns the location that a registration stores. The result is undefined if the location has neither an address nor
 * coordinates.
 */
function placeOf({ address, coordinates }: RegistryLocation): RegistryLocation | undefined {
  if (address === undefined && !coordinates) return undefined
  return omitUndefined({ address, coordinates: coordinates && mapPoint(coordinates) })
}

function checkedAddress(profileUrl: string, config: Config): string {
  try {
    const url = checkedUrl(profileUrl, config)
    url.hash = ''
    return url.href
  } catch (cause) {
    throw profileFailure(cause, 'The business profile')
  }
}

type Needs = Dependencies<'db' | 'config' | 'business' | 'limits'> & Pick<Context, 'peer' | 'now' | 'caller'>

/**
 * Fetches the profile of the business, and refuses a registration that does not match the profile. `changed` is the id
 * of the registration if the caller changes an existing one.
 */
export async function checkBusiness(
  { profile_url, deployment_mode, location }: RegistrationRequest,
  dependencies: Needs,
  changed?: string,
): Promise<PublishedBusiness> {
  const { config, peer } = dependencies
  const { host, hostname } = new URL(profile_url)
  await limitStrangersListings(siteOf(hostname), dependencies, changed)
  return limitOutboundCalls(peer.address, async () => {
    await countFetch(host, dependencies)
    return limitProfileReads(async () =>
      requireLocation(await readBusinessProfile(profile_url, deployment_mode, config), location, config),
    )
  })
}

/**
 * Limits the number of businesses that unknown callers can register at one site (domain). The owner of a site can
 * create any number of profiles for free, and every search covers all registered businesses.
 */
async function limitStrangersListings(site: string, { db, caller: { stranger } }: Needs, changed = '') {
  if (!stranger) return
  const most = stranger.limits.listings
  if ((await strangersListings(db, site, changed)) < most) return
  stranger.reportLimit('listings')
  throw new ProtocolError(
    'rate_limited',
    `There are ${most} listings at the domain of profile_url. ${PUBLISH_KEY_HINT}`,
    {
      retryAfter: RETRY_AFTER,
    },
  )
}

/**
 * Counts the profile fetches that a caller causes, and refuses too many of them. Otherwise, callers could use this
 * server to flood other hosts with requests.
 */
async function countFetch(host: string, dependencies: Needs) {
  const { db, peer, now } = dependencies
  await countFetchFor(peer.address, dependencies, now)
  const allowance = await countInMinute(db, `listings ${host}`, MOST_FETCHES, now)
  if (allowance.remaining < 0) throw rateLimitError(allowance, 'listings of this host')
}

/** Refuses a registration without a location if buyers visit the business. */
async function requireLocation(published: PublishedBusiness, location: RegistryLocation | undefined, config: Config) {
  if (location || !(await receivesBuyers(published, config))) return published
  throw invalidInput('Some services of this business take place at its address: send location.', '$.location')
}

const MOST_PAGES = 5
/** The maximum time in milliseconds to read the catalogue of a business and find out whether buyers visit it. */
const MOST_TIME = 8_000

/**
 * Whether at least one service in the catalogue of a business takes place where buyers visit it. If the server cannot
 * read the catalogue, the result depends on whether the profile has locations.
 */
async function receivesBuyers(published: PublishedBusiness, config: Config): Promise<boolean> {
  const { endpoint, hasLocations } = published
  if (endpoint === undefined) return hasLocations
  try {
    return (await readChannels(endpoint, config)) ?? hasLocations
  } catch (error) {
    if (!(error instanceof FeedError)) throw error
    return hasLocations
  }
}

async function readChannels(endpoint: string, config: Config): Promise<boolean | undefined> {
  let cursor: string | null = null
  const until = performance.now() + MOST_TIME
  for (let pages = 0; pages < MOST_PAGES && performance.now() < until; pages++) {
    const page = await feedPage(endpoint, cursor, config)
    if (page === 'expired') return undefined
    if ([...page.changes.values()].some((service) => service && isOnSite(service.channel.type))) return true
    if (!page.hasMore) return false
    cursor = page.next
  }
  return undefined
}

const isOnSite = (channel: string) => channel === 'at_business_location' || channel === 'hybrid'
