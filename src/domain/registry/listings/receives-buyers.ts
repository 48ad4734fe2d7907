import type { Config } from '../../../infra/config/config.ts'
import type { PublishedBusiness } from '../indexing/business-profile.ts'
import { FeedError, feedPage } from '../indexing/feed-page.ts'

const MOST_PAGES = 5
/** Milliseconds after which no further page is fetched. */
const MOST_TIME = 8_000

/**
 * Whether buyers visit the business for any of its services, according to its catalogue.
 * If the catalogue cannot be read, or is too long to read during a call, locations in the profile decide.
 */
export async function receivesBuyers(published: PublishedBusiness, config: Config): Promise<boolean> {
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
