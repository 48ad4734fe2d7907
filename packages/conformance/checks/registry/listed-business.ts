import { setTimeout as sleep } from 'node:timers/promises'
import type { Members } from '../../caller/answer.ts'
import type { Caller } from '../../caller/caller.ts'
import type { HostedPlatform } from '../../platform/platform-host.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectList, expectMembers } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'

export const needs = ['discovery.registry']
export const INVALID = { rest: 422, mcp: -32602 }

const VERSION = '2026-08-20'
const BINDING = { version: VERSION, spec: 'https://usp-protocol.dev/specification' }
const INDEX_WAIT_MS = 10_000
/** Searches count against the rate limit of the caller, so the suite asks seldom. */
const INDEX_PAUSE_MS = 1_500

/** A word that no other listing contains. */
export const newWord = (): string => `w${Math.random().toString(36).slice(2, 12)}`

/** A business of the suite, with its profile and its catalogue at the host of the suite. */
export interface Business extends HostedPlatform {
  /** A word in its name, and the id of its category. */
  word: string
}

/** Hosts a business. It is not registered yet. */
export function hostBusiness(c: CheckContext, services: Members[] = []): Business {
  const { hosted } = c.newPlatform()
  const business = Object.assign(hosted, { word: newWord() })
  business.document = businessProfile(hosted)
  setCatalogue(business, services)
  return business
}

/** The profile of a hosted business. */
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

/** Sets the services that the hosted business publishes in its feed and its list. */
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

/** The body of a registration of a hosted business. */
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

/** Hosts and registers a business. */
export async function listedBusiness(c: CheckContext, changes: Members = {}, services: Members[] = []) {
  const business = hostBusiness(c, services)
  return { business, registration: await register(c, business, changes) }
}

/** A service of a hosted business. */
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

/** The members that make a service free. */
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
 * Hosts and registers a business with these services, and waits until the registry finds all of them. Skips the check if
 * the registry reads catalogues later.
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

/** Waits until the registry finds this number of services in the category of a business. */
export async function waitForHits(c: CheckContext, { word }: Business, number: number): Promise<Members[]> {
  const deadline = Date.now() + INDEX_WAIT_MS
  for (;;) {
    const hits = await searchServices(c, { categories: [word] })
    if (hits.length === number) return hits
    if (Date.now() > deadline)
      throw new Skip(`The registry does not show the changes of a catalogue within ${INDEX_WAIT_MS / 1000} s.`)
    await sleep(INDEX_PAUSE_MS)
  }
}
