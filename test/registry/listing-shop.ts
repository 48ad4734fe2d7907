import type { RegistrationRequest, RegistryEntry } from '../../src/protocol/types.generated.ts'
import { businessWith, service } from '../support/definitions.ts'
import { type Desk, type Shop, testShop } from '../support/desk.ts'
import { uspProfile } from '../support/listed-business.ts'
import { type Platform, testPlatform } from '../support/platform.ts'

export const withRegistry = businessWith([service('svc_own')], { registry: { enabled: true } })

/** A registry, and the site of a business that may be listed there. */
export interface ListingShop extends Shop {
  site: Platform
  /** Another address of the same site, at which nobody is listed yet. */
  address(): string
  /** The ids of all that are listed. */
  listed(): Promise<string[]>
}

export async function listingShop(definition = withRegistry): Promise<ListingShop> {
  const shop = await testShop(definition)
  const site = await testPlatform(uspProfile())
  let addresses = 0
  return {
    ...shop,
    site,
    address: () => `${site.url}?${++addresses}`,
    async listed() {
      const rows = await shop.runtime.db.selectFrom('registrations').select('id').orderBy('number').execute()
      return rows.map(({ id }) => id)
    },
  }
}

export const listing = (profile_url: string, more: Partial<RegistrationRequest> = {}): RegistrationRequest => ({
  profile_url,
  deployment_mode: 'standalone',
  name: 'Sunrise Wellness Studio',
  description: 'Massage, facials and yoga.',
  verticals: ['appointment', 'group'],
  categories: ['wellness', 'beauty'],
  location: { address: '123 Main St, New York', coordinates: { lat: 40.7484, lng: -73.9967 } },
  timezone: 'America/New_York',
  ...more,
})

/** Lists a business at an address of its own. */
export async function register(desk: Desk, shop: ListingShop, more: Partial<RegistrationRequest> = {}) {
  const { data } = await desk.call('usp_registry_register', { ...listing(shop.address(), more) })
  return data.registration as RegistryEntry
}
