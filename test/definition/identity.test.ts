import { test } from 'vitest'
import { service } from '../support/definitions.ts'
import { expectAccepted, expectFault, type FaultCase, offering } from './reading.ts'

const base = offering(service('svc_a', { locations: ['loc_one'] }), service('svc_b'))
const linked = {
  ...base,
  business: { ...base.business, links: [{ type: 'privacy_policy', url: 'https://studio.example/privacy' }] },
}

const faults: FaultCase[] = [
  ['[DEF-067] [DEF-074] a business, the provider of its services, without name is refused', 'business.name', undefined],
  ['[DEF-067] [DEF-074] a business with an empty name is refused', 'business.name', ''],
  ['[DEF-067] a service that names another provider is refused', 'services[svc_a].provider', { name: 'Somebody' }],
  ['[DEF-068] a link of the business without type is refused', 'business.links[0].type', undefined],
  ['[DEF-068] a link of the business without url is refused', 'business.links[0].url', undefined],
  ['[DEF-074] a business without time zone is refused', 'business.timezone', undefined],
  ['[DEF-074] a business without currency is refused', 'business.currency', undefined],
  ['[DEF-075] the time zone EST5 is refused', 'business.timezone', 'EST5'],
  ['[DEF-075] the time zone New York is refused', 'business.timezone', 'New York'],
  ['[DEF-075] a time zone that is an offset is refused', 'business.timezone', '+02:00'],
  ['[DEF-075] a time zone that might be is refused', 'business.timezone', 'Europe/Atlantis'],
  ['[DEF-075] an abbreviation that only JavaScript takes for a zone is refused', 'business.timezone', 'PST'],
  ['[DEF-076] the business currency usd is refused', 'business.currency', 'usd'],
  ['[DEF-076] the business currency US is refused', 'business.currency', 'US'],
  ['[DEF-076] the business currency DOLLAR is refused', 'business.currency', 'DOLLAR'],
  ['[DEF-076] a business currency that might be is refused', 'business.currency', 'ZZQ'],
  ['[DEF-077] a location without id is refused', 'locations[1].id', undefined],
  ['[DEF-077] a location without name is refused', 'locations[loc_two].name', undefined],
  ['[DEF-078] two locations with one id are refused', 'locations[loc_two].id', 'loc_one', 'locations[loc_one].id'],
  [
    '[DEF-078] a service at a place that the business does not have is refused',
    'services[svc_a].locations[0]',
    'loc_moon',
    'services[svc_a].locations',
  ],
  ['[DEF-079] two services with one id are refused', 'services[svc_b].id', 'svc_a', 'services[svc_a].id'],
]
test.each(faults)('%s', (_, path, wrong, named) => expectFault(linked, path, wrong, named))

test.each(['America/New_York', 'Europe/Kyiv', 'Asia/Kolkata', 'UTC', 'Etc/GMT+5', 'America/Argentina/Ushuaia'])(
  '[DEF-075] the IANA time zone %s is accepted',
  (timezone) => expectAccepted({ ...base, business: { ...base.business, timezone } }),
)

test.each(['resources[res_ana].locations', 'closures[0].locations'])(
  '[DEF-078] %s may name no place that the business does not have',
  (path) => {
    const [ana] = base.resources ?? []
    if (!ana) throw new Error('There is nobody')
    const definition = {
      ...base,
      resources: [{ ...ana, locations: ['loc_one'] }],
      closures: [{ from: '2026-12-24', to: '2026-12-26', locations: ['loc_two'] }],
    }
    expectFault(definition, `${path}[0]`, 'loc_moon', path)
  },
)

test('[DEF-078] a session at a place that the business does not have is refused', () => {
  const yoga = service('svc_yoga', {
    type: 'group',
    capacity: { max: 8 },
    sessions: [{ starts: '18:00', days: ['monday'], location: 'loc_one' }],
  })
  expectFault(offering(yoga), 'services[svc_yoga].sessions[0].location', 'loc_moon')
})
