import { sql } from 'kysely'
import { availabilityRanking } from '../../src/domain/registry/indexing/availability-ranking.ts'
import { hintOf, indexedService } from '../../src/domain/registry/indexing/indexed-service.ts'
import { indexedUpsert } from '../../src/domain/registry/indexing/search-index-queries.ts'
import { businessWords } from '../../src/domain/registry/indexing/search-texts.ts'
import type { Database } from '../../src/infra/db/database.ts'
import type { RegistrationRequest, RegistryLocation, Service } from '../../src/protocol/types.generated.ts'
import { START, type TestServer, testServer } from '../support/server.ts'
import { withRegistry } from './listing-shop.ts'

/** A server that keeps a registry, with nobody in it yet. */
export const registry = (): Promise<TestServer> => testServer(withRegistry)

type Listing = Partial<RegistrationRequest> & { status?: 'active' | 'inactive' }

/** Puts a business into the registry as if it had registered and its catalogue had been read. */
export async function list(db: Database, id: string, listing: Listing = {}, services: Service[] = []): Promise<void> {
  const { name = `House ${id}`, categories = ['wellness'], location, status = 'active' } = listing
  await db
    .insertInto('registrations')
    .values({
      id,
      principal: 'key:listed',
      profile: '',
      profile_url: listing.profile_url ?? `https://${id.replaceAll('_', '-')}.example/.well-known/usp`,
      deployment_mode: listing.deployment_mode ?? 'standalone',
      name,
      description: listing.description ?? null,
      verticals: listing.verticals ?? ['appointment'],
      categories,
      location: location ? JSON.stringify(location) : null,
      timezone: listing.timezone ?? 'America/New_York',
      search_words: businessWords({ name, categories }),
      status,
      created_at: START,
      modified_at: START,
      checked_at: START,
      next_check_at: START,
      next_index_at: START,
    })
    .execute()
  await index(db, id, services, { location: location ?? null, timezone: listing.timezone ?? 'America/New_York' })
}

interface Business {
  location?: RegistryLocation | null
  timezone?: string
  now?: Date
}

/** Puts services into the index. */
export async function index(
  db: Database,
  id: string,
  services: Service[],
  { location = null, timezone = 'America/New_York', now = START }: Business = {},
): Promise<void> {
  const rows = services.map((one) => ({
    ...indexedService(one, location),
    ...availabilityRanking(hintOf(one), { timezone, now }),
  }))
  await db.transaction().execute((tx) => indexedUpsert(tx, id, rows, now))
  await sql`analyze indexed_services`.execute(db)
}

/** A place so many metres north of New York. */
export const north = (metres: number): RegistryLocation => ({
  address: `${metres} North Street`,
  coordinates: { lat: CENTRE.lat + metres / 111_194.927, lng: CENTRE.lng },
})

export const CENTRE = { lat: 40.7484, lng: -73.9967 }
