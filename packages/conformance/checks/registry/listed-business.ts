import { setTimeout as sleep } from 'node:timers/promises'
import type { Members } from '../../caller/answer.ts'
import type { Caller } from '../../caller/caller.ts'
import type { HostedPlatform } from '../../platform/platform-host.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual, expectList, expectMembers, inCase } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'

export const needs = ['discovery.registry']

const VERSION = '2026-08-20'
const BINDING = { version: VERSION, spec: 'https://usp-protocol.dev/specification' }
/** The members that a registration must have. */
const REQUIRED = ['profile_url', 'deployment_mode', 'name', 'verticals', 'categories', 'timezone']
const INDEX_WAIT_MS = 10_000
/** In milliseconds. With this pause between searches, the suite stays within the rate limit of the registry. */
const INDEX_PAUSE_MS = 1_500

/** Returns a random word that no other listing contains. */
export const newWord = (): string => `w${Math.random().toString(36).slice(2, 12)}`

/** A business that the suite itself hosts. The suite's host serves its profile and its catalogue. */
export interface Business extends HostedPlatform {
  /** A unique word. The word is part of the business name, and the id of its category. */
  word: string
}

/** Hosts a business, but does not register the business. */
export function hostBusiness(c: CheckContext, services: Members[] = []): Business {
  const { hosted } = c.newPlatform()
  const business = Object.assign(hosted, { word: newWord() })
  business.document = businessProfile(hosted)
  setCatalogue(business, services)
  return business
}

/** Returns the profile of a hosted business. */
export const businessProfile = ({ address, key }: HostedPlatform): Members => ({
  usp: {
    version: VERSION,
    services: {
      'dev.usp-protocol.services': [
        {
          ...BINDING,
          transport: 'rest',
          endpoint: `${address}/usp`,
          schema: 'https://usp-protocol.dev/schemas/openapi/usp-rest.json',
        },
      ],
    },
    capabilities: {
      'dev.usp-protocol.services.catalog': [
        { ...BINDING, schema: 'https://usp-protocol.dev/schemas/services/catalog.json' },
      ],
    },
    business: { name: 'Conformance', timezone: 'Europe/Vienna', currency: 'USD' },
  },
  keys: [key.published],
})

/** Sets the services that a hosted business shows in its feed and its list. */
export function setCatalogue(business: Business, services: Members[]): void {
  const items = services.map((service, nth) => ({
    state: 'updated',
    modified_at: new Date(Date.now() - 1000 * (services.length - nth)).toISOString(),
    data: { business_id: business.word, ...service },
  }))
  const usp = { version: VERSION }
  const feed_meta = {
    feed_generated_at: new Date().toISOString(),
    total_services: items.length,
    feed_status: 'healthy',
  }
  const ended = { cursor: null, has_more: false }
  business.documents.set('usp/services/feed', {
    usp,
    items,
    pagination: { ...ended, next_cursor: 'end' },
    feed_meta,
  })
  business.documents.set('usp/services/list', { usp, services: items.map(({ data }) => data), pagination: ended })
}

/** Returns the registration request of a hosted business. */
export const listingOf = ({ profile, word }: Business, changes: Members = {}): Members => ({
  profile_url: profile,
  deployment_mode: 'standalone',
  name: `Conformance ${word}`,
  verticals: ['appointment'],
  categories: [word],
  timezone: 'Europe/Vienna',
  ...changes,
})

export interface Registration extends Members {
  id: string
}

/** Registers a hosted business, and deletes the registration after the check. */
export async function register(
  c: CheckContext,
  business: Business,
  changes: Members = {},
  caller: Caller = c.caller,
): Promise<Registration> {
  const answer = await caller.call('register', listingOf(business, changes))
  const registration = expectMembers(answer.success().registration, 'registration') as Registration
  c.afterwards(() => caller.call('deleteRegistration', { id: registration.id }))
  return registration
}

/** Requires that the operation refuses a listing if any required member is missing. */
export async function expectAllRequired(
  c: CheckContext,
  operation: 'register' | 'updateRegistration',
  listing: Members,
): Promise<void> {
  for (const name of REQUIRED) {
    const { [name]: _, ...incomplete } = listing
    const answer = await c.caller.call(operation, incomplete)
    inCase(`a listing without ${name}`, () => answer.failsWith('invalid_request'))
  }
}

export async function readRegistration(c: CheckContext, id: unknown): Promise<unknown> {
  return (await c.anonymous.call('getRegistration', { id })).success().registration
}

/** Requires that a search for businesses does not find this business. */
export async function expectUnlisted(c: CheckContext, { word }: Business): Promise<void> {
  expectEqual(await searchBusinesses(c, { categories: [word] }), [], 'the listings of the business')
}

/** Hosts and registers a business. */
export async function listedBusiness(c: CheckContext, changes: Members = {}, services: Members[] = []) {
  const business = hostBusiness(c, services)
  return { business, registration: await register(c, business, changes) }
}

/** Returns a service for the catalogue of a hosted business. */
export const serviceOf = (id: string, category: string, changes: Members = {}): Members => ({
  id,
  name: `Service ${category}`,
  type: 'appointment',
  categories: [{ taxonomy: 'merchant', id: category, name: 'Conformance', primary: true }],
  duration: { fixed: 'PT60M' },
  pricing: { model: 'fixed', amount: 12_000, currency: 'USD' },
  channel: { type: 'virtual' },
  policies: {
    cancellation: { allowed: true },
    rescheduling: { allowed: true },
    confirmation_mode: 'auto',
    requires_payment: true,
    payment_timing: 'at_service',
  },
  ...changes,
})

/** These JSON members make a service free of charge. */
export const FREE: Members = {
  pricing: { model: 'free', currency: 'USD' },
  policies: {
    cancellation: { allowed: true },
    rescheduling: { allowed: true },
    confirmation_mode: 'auto',
    requires_payment: false,
  },
}

export async function searchServices(c: CheckContext, input: Members): Promise<Members[]> {
  return expectList((await c.anonymous.call('searchServices', input)).success().services, 'services')
}

export async function searchBusinesses(c: CheckContext, input: Members): Promise<Members[]> {
  return expectList((await c.anonymous.call('searchBusinesses', input)).success().businesses, 'businesses')
}

export const idsOf = (services: Members[]): unknown[] => services.map(({ service_id }) => service_id).toSorted()

/**
 * Hosts and registers a business with these services. Waits until the registry finds all services. Skips the check if
 * this takes too long.
 */
export async function indexedBusiness(
  c: CheckContext,
  create: (word: string) => Members[],
  changes: Members = {},
): Promise<Business> {
  const business = hostBusiness(c)
  const services = create(business.word)
  setCatalogue(business, services)
  await register(c, business, changes)
  await waitForHits(c, business, services.filter(({ categories }) => categories !== undefined).length)
  return business
}

/** Waits until a search finds this number of services in the category of the business. */
export async function waitForHits(c: CheckContext, { word }: Business, number: number): Promise<Members[]> {
  const deadline = Date.now() + INDEX_WAIT_MS
  for (;;) {
    const hits = await searchServices(c, { categories: [word] })
    if (hits.length === number) return hits
    if (Date.now() > deadline)
      throw new Skip(`The registry needs more than ${INDEX_WAIT_MS / 1000} s to show the changes of a catalogue.`)
    await sleep(INDEX_PAUSE_MS)
  }
}
