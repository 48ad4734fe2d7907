import { sql } from 'kysely'
import type { Operation, Resource } from '../../src/protocol/define-operation.ts'
import type { BookingScopedCredential, BusinessDefinition } from '../../src/protocol/types.generated.ts'
import { operations } from '../../src/server/all-operations.ts'
import { businessWith, service } from '../support/definitions.ts'
import { uspProfile } from '../support/listed-business.ts'
import { type Platform, type TestKey, testKey, testPlatform } from '../support/platform.ts'
import { sampleOf } from '../support/samples.ts'
import type { TestServer } from '../support/server.ts'
import { call } from './callers.ts'

/** Classes are large enough for whatever the tests book, and are paid for at booking. */
export const definition: BusinessDefinition = businessWith(
  [
    service('svc_a', {
      type: 'group',
      capacity: { max: 10_000, waitlist: true },
      sessions: [{ days: ['tuesday', 'wednesday', 'thursday'], starts: '12:00' }],
      policies: { ...service('svc_a').policies, payment_timing: 'at_booking' },
    }),
  ],
  { resources: [{ id: 'staff_a', type: 'staff', name: 'Ann' }], registry: { enabled: true } },
)

/** What a caller owns, under the names by which operations address it, and the credentials that came with it. */
export interface Things {
  key: TestKey
  ids: Record<string, string>
  credentials: Partial<Record<Resource['kind'], BookingScopedCredential>>
}

export const find = (id: string): Operation => {
  const found = operations.find((operation) => operation.id === id)
  if (!found) throw new Error(`There is no operation ${id}`)
  return found
}

/** Businesses elsewhere that let themselves be listed, at as many addresses as there are owners: strangers, of whom ten list at a host. */
const businesses = new WeakMap<TestServer, Promise<Platform[]>>()
const HOSTS = 8
let owners = 0

async function businessFor(server: TestServer): Promise<Platform> {
  const elsewhere =
    businesses.get(server) ?? Promise.all(Array.from({ length: HOSTS }, () => testPlatform(uspProfile())))
  businesses.set(server, elsewhere)
  const one = (await elsewhere)[owners++ % HOSTS]
  if (!one) throw new Error('There is no business elsewhere')
  return one
}

/** Somebody new, with one of everything that can be had. */
export async function newOwner(server: TestServer, platform: Platform): Promise<Things> {
  const key = testKey()
  const shown = { now: server.time.now, platform, proof: { key } }
  const has = async (id: string, more: object = {}) => {
    const { payload } = await call(server, 'REST', find(id), { ...sampleOf(find(id)), ...more }, shown)
    return payload
  }
  const { slots } = await has('queryAvailability')
  const slot_id = slots[0].id
  const { subscription } = await has('createFeedSubscription')
  const held = await has('holdSlot', { slot_id })
  const booked = await has('createBooking', { slot_id })
  const queued = await has('joinWaitlist')
  const profile_url = `${(await businessFor(server)).url}?${key.thumbprint}`
  const { registration } = await has('registerBusiness', { profile_url })
  return {
    key,
    ids: {
      slot_id,
      subscription_id: subscription.id,
      hold_id: held.hold.id,
      booking_id: booked.booking.id,
      entry_id: queued.entry.id,
      id: registration.id,
      profile_url,
    },
    credentials: {
      hold: held.booking_scoped_credential,
      booking: booked.booking_scoped_credential,
      waitlist_entry: queued.booking_scoped_credential,
    },
  }
}

/** What the operation's well-formed call says, about these things. */
export const inputFor = (operation: Operation, { ids }: Pick<Things, 'ids'>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(sampleOf(operation)).map(([name, value]) => [name, ids[name] ?? value]))

/** What somebody gets who asks for what is somebody else's, by the name under which it is addressed. */
const notYours: Record<string, string> = {
  subscription_id: 'subscription_not_found',
  hold_id: 'not_found',
  booking_id: 'booking_not_found',
  entry_id: 'entry_not_found',
  id: 'registration_not_found',
  profile_url: 'validation_error',
}

export function refusalOf(operation: Operation): string | undefined {
  const [addressed] = Object.keys(sampleOf(operation)).flatMap((name) => notYours[name] ?? [])
  return addressed
}

const technical = ['rate_limits', 'seen_proofs', 'principals', 'replies', 'oauth_state']

/** The state of whatever the business keeps; equal before and after means that nothing has changed. */
export async function stateOf({ runtime: { db } }: TestServer): Promise<string> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> all (${technical}::text[])
    order by 1`.execute(db)
  const parts = tables.map(
    ({ name }) =>
      sql`select ${name}::text as name, md5(string_agg(t::text, ' ' order by t::text)) from ${sql.table(name)} t`,
  )
  const { rows } = await sql`${sql.join(parts, sql` union all `)} order by 1`.execute(db)
  return JSON.stringify(rows)
}

/** Which requirement says who may call an operation. */
const rows: Record<string, string> = {
  listServices: 'AUT-002',
  getService: 'AUT-003',
  lookupServices: 'AUT-004',
  getServiceFeed: 'AUT-005',
  queryAvailability: 'AUT-006',
  createFeedSubscription: 'AUT-010',
  getFeedSubscription: 'AUT-011',
  cancelFeedSubscription: 'AUT-012',
  pauseFeedSubscription: 'AUT-013',
  resumeFeedSubscription: 'AUT-014',
  holdSlot: 'AUT-015',
  createBooking: 'AUT-016',
  joinWaitlist: 'AUT-017',
  listWaitlistEntries: 'AUT-018',
  releaseHold: 'AUT-022',
  getBooking: 'AUT-023',
  updateBooking: 'AUT-024',
  cancelBooking: 'AUT-025',
  rescheduleBooking: 'AUT-026',
  confirmPayment: 'AUT-027',
  getWaitlistEntry: 'AUT-028',
  leaveWaitlist: 'AUT-029',
  acceptOffer: 'AUT-030',
  declineOffer: 'AUT-031',
  confirmBooking: 'AUT-032',
  getRegistration: 'AUT-007',
  searchBusinesses: 'AUT-008',
  searchServices: 'AUT-009',
  registerBusiness: 'AUT-019',
  updateRegistration: 'AUT-020',
  deleteRegistration: 'AUT-021',
}

export const rowOf = ({ id }: Operation): string => rows[id] ?? 'AUT'
