import { sql } from 'kysely'
import type { Database } from '../../../infra/db/database.ts'
import { siteOf } from '../../../infra/net/ip-addresses.ts'
import { DAY, HOUR } from '../../../infra/time/time-units.ts'
import { asRecord } from '../../../infra/util/object-members.ts'
import type { Caller } from '../../../protocol/caller-types.ts'
import type { RegistrationRequest } from '../../../protocol/types.generated.ts'
import type { PublishedBusiness } from '../indexing/read-business-profile.ts'
import { businessWords } from '../indexing/search-texts.ts'
import type { Registration } from './registration-response.ts'

const UNIQUE_VIOLATION = '23505'
const MOST_FOUND = 100

interface NewRegistration {
  id: string
  listing: RegistrationRequest
  published: PublishedBusiness
  caller: Caller
  now: Date
}

/** Stores the registration of a business. The result is undefined if another registration already has this profile. */
export const registrationInsert = (
  db: Database,
  { id, listing, published, caller, now }: NewRegistration,
): Promise<Registration | undefined> =>
  db
    .insertInto('registrations')
    .values({
      id,
      principal: caller.principal,
      profile: caller.profile,
      ...columnsOf(listing, caller, now),
      ...freshState(published, now),
      created_at: now,
    })
    .onConflict((conflict) => conflict.column('profile_url').doNothing())
    .returningAll()
    .executeTakeFirst()

export const registrationOf = (db: Database, id: string): Promise<Registration | undefined> =>
  db.selectFrom('registrations').selectAll().where('id', '=', id).executeTakeFirst()

export const registrationAt = (db: Database, profileUrl: string): Promise<Registration | undefined> =>
  db.selectFrom('registrations').selectAll().where('profile_url', '=', profileUrl).executeTakeFirst()

export const ownRegistration = (db: Database, id: string, caller: Caller): Promise<Registration | undefined> =>
  owned(db, id, caller).executeTakeFirst()

export const ownRegistrationLock = (db: Database, id: string, caller: Caller): Promise<Registration | undefined> =>
  owned(db, id, caller).forUpdate().executeTakeFirst()

/**
 * Replaces the data of a registration. The result is undefined if the new profile belongs to another registration. If
 * searches hide the business, the next profile check is due immediately, because the owner may have corrected the
 * profile.
 */
export const registrationReplace = (
  db: Database,
  id: string,
  { listing, caller, now }: Pick<NewRegistration, 'listing' | 'caller' | 'now'>,
): Promise<Registration | undefined> =>
  db
    .updateTable('registrations')
    .set({
      ...columnsOf(listing, caller, now),
      next_check_at: sql<Date>`case when status = 'inactive' then ${now} else next_check_at end`,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
    .catch((error) => {
      if (asRecord(error).code === UNIQUE_VIOLATION) return undefined
      throw error
    })

/**
 * Resets the state of a registration that now names another profile. Deletes the indexed services of the former
 * profile.
 */
export async function registrationMove(
  db: Database,
  id: string,
  published: PublishedBusiness,
  now: Date,
): Promise<Registration> {
  await db.deleteFrom('indexed_services').where('registration_id', '=', id).execute()
  return db
    .updateTable('registrations')
    .set(freshState(published, now))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Deletes a registration and its indexed services. Returns true if the registration existed. */
export async function registrationDelete(db: Database, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('registrations').where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}

export async function strangersListings(db: Database, site: string, id: string): Promise<number> {
  const { count } = await db
    .selectFrom('registrations')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('stranger_site', '=', site)
    .where('id', '!=', id)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export type FoundListing = Pick<Registration, 'id' | 'created_at' | 'status' | 'profile' | 'profile_url' | 'name'>

/**
 * Finds registrations with this text in their name, in their profile URL or in the profile URL of their owner. The
 * newest registrations come first.
 */
export const listingsFind = (db: Database, text: string): Promise<FoundListing[]> =>
  db
    .selectFrom('registrations')
    .select(['id', 'created_at', 'status', 'profile', 'profile_url', 'name'])
    .where(sql`strpos(lower(concat_ws(' ', name, profile_url, profile)), lower(${text}))`, '>', 0)
    .orderBy('number', 'desc')
    .limit(MOST_FOUND)
    .execute()

const owned = (db: Database, id: string, { identities, profile }: Caller) =>
  db
    .selectFrom('registrations')
    .selectAll()
    .where('id', '=', id)
    .where('principal', 'in', identities)
    .where('profile', '=', profile)

const columnsOf = ({ location, ...listing }: RegistrationRequest, { stranger }: Caller, now: Date) => ({
  profile_url: listing.profile_url,
  stranger_site: stranger ? siteOf(new URL(listing.profile_url).hostname) : null,
  deployment_mode: listing.deployment_mode,
  name: listing.name,
  description: listing.description ?? null,
  verticals: listing.verticals,
  categories: listing.categories,
  location: location ? JSON.stringify(location) : null,
  timezone: listing.timezone,
  search_words: businessWords(listing),
  modified_at: now,
})

export const checkedState = ({ endpoint }: PublishedBusiness, now: Date) => ({
  problem: null,
  checked_at: now,
  next_check_at: afterSuccess(now),
  failures: 0,
  checks_begun: 0,
  check_leased_until: null,
  endpoint: endpoint ?? null,
})

const freshState = (published: PublishedBusiness, now: Date) => ({
  ...checkedState(published, now),
  status: 'active',
  feed_cursor: null,
  reading_since: null,
  leased_until: null,
  indexed_at: null,
  next_index_at: now,
  index_failures: 0,
  readings_begun: 0,
  index_problem: null,
})

/** After this many failed profile checks in a row, searches hide the business. These checks take more than a day. */
const MOST_FAILURES = 6

/**
 * Computes the time of the next profile check after a successful check, about a day later. A random part spreads the
 * checks of all businesses over the day.
 */
const afterSuccess = (now: Date): Date => new Date(now.getTime() + DAY * (0.9 + 0.2 * Math.random()))

/**
 * Computes the time of the next profile check after a failed check. The wait is one hour, then two, four and so on, up
 * to a day.
 */
export const afterFailure = (now: Date, failures: number): Date =>
  new Date(now.getTime() + Math.min(DAY, HOUR * 2 ** (failures - 1)))

export const isGone = (failures: number): boolean => failures >= MOST_FAILURES
