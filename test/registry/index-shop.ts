import { type Selectable, sql } from 'kysely'
import { crawlDue } from '../../src/domain/registry/indexing/crawl-due-catalogues.ts'
import type { Database } from '../../src/infra/db/database.ts'
import type { Registrations } from '../../src/infra/db/schema.generated.ts'
import { newId } from '../../src/infra/util/random-bytes.ts'
import { businessWith } from '../support/definitions.ts'
import { type TestServer, testServer } from '../support/server.ts'
import { type StandInBusiness, standInBusiness } from './stand-in-business.ts'

export const PLACE = { address: '1 Main St', coordinates: { lat: 40.75, lng: -73.99 } }

/** A registry in which one business is listed. */
export interface IndexShop extends TestServer {
  business: StandInBusiness
  /** Lists a business without asking anybody. */
  list(business: StandInBusiness): Promise<string>
  id: string
  /** Reads what is due now. */
  read(): Promise<void>
  /** The same an hour later. */
  readLater(): Promise<void>
  secondsLater(seconds: number): void
  minutesLater(minutes: number): void
  /** Until it is read again. */
  minutesToNext(): Promise<number>
  /** Ids of its services in the index. */
  indexed(id?: string): Promise<string[]>
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects and fails where it is not
  row(serviceId: string): Promise<any>
  registration(): Promise<Selectable<Registrations>>
}

export const indexServer = (env: NodeJS.ProcessEnv = {}): Promise<TestServer> =>
  testServer({ ...businessWith([]), registry: { enabled: true } }, { env })

/** On a server that has none, or whose businesses nobody cares for any more. */
export async function indexShop(on?: TestServer): Promise<IndexShop> {
  const server = on ?? (await indexServer())
  const { runtime, time } = server
  const { db } = runtime
  const business = await standInBusiness()
  const list = (one: StandInBusiness) => insertRegistration(db, one, time.now)
  await db.deleteFrom('registrations').execute()
  const id = await list(business)
  const read = () => crawlDue(runtime)
  const secondsLater = (seconds: number) => {
    time.now = new Date(time.now.getTime() + seconds * 1_000)
  }
  const minutesLater = (minutes: number) => secondsLater(minutes * 60)
  const registration = () => db.selectFrom('registrations').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  return {
    ...server,
    business,
    list,
    id,
    read,
    secondsLater,
    minutesLater,
    readLater() {
      minutesLater(60)
      return read()
    },
    minutesToNext: async () => (Number((await registration()).next_index_at) - Number(time.now)) / 60_000,
    async indexed(of = id) {
      const rows = await db
        .selectFrom('indexed_services')
        .select('service_id')
        .where('registration_id', '=', of)
        .orderBy('service_id')
        .execute()
      return rows.map((row) => row.service_id)
    },
    row: (serviceId) =>
      db.selectFrom('indexed_services').selectAll().where('service_id', '=', serviceId).executeTakeFirstOrThrow(),
    registration,
  }
}

/** Lists a business without asking anybody. */
export async function insertRegistration(db: Database, { endpoint, profileUrl }: StandInBusiness, now: Date) {
  const id = newId('reg')
  await sql`insert into registrations (id, principal, profile, profile_url, deployment_mode, name, verticals,
      categories, location, timezone, search_words, status, created_at, modified_at, checked_at, next_check_at,
      endpoint, next_index_at)
    values (${id}, 'key:test', '', ${profileUrl}, 'standalone', 'A business', array['appointment'], array['wellness'],
      ${JSON.stringify(PLACE)}, 'America/New_York', to_tsvector('simple', 'business'), 'active', ${now}, ${now}, ${now},
      ${new Date('2100-01-01')}, ${endpoint}, ${now})`.execute(db)
  return id
}
