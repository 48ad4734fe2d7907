import { asMembers, type Members } from '../../caller/answer.ts'
import { expectEqual, expectList, expectMembers, expectText, expectTrue } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import type { Target } from '../../target/target.ts'
import { check } from '../check.ts'

const OWN_ORIGIN = 'https://usp-protocol.dev'
const OWN_NAMESPACE = 'dev.usp-protocol.'
/** A reverse domain name with at least two parts. No part begins or ends with a hyphen or underscore. */
const NAME = /^[a-z](?:[a-z0-9_-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?)+$/

const once = true

export const profileContentChecks = [
  check(
    'PRO-011',
    'A binding with the transport mcp has its version, endpoint, specification and schema',
    async ({ target }) => {
      const mcp = bindingsOf(target).find(({ transport }) => transport === 'mcp')
      for (const member of ['version', 'endpoint', 'spec', 'schema']) expectText(mcp?.[member], `${member} of mcp`)
    },
    { only: 'mcp' },
  ),
  check(
    'PRO-013',
    'No service binding has a direct member authorization',
    async ({ target }) => {
      for (const binding of bindingsOf(target))
        expectEqual(
          'authorization' in binding,
          false,
          `the presence of authorization in the binding ${binding.transport}`,
        )
    },
    { once },
  ),
  check(
    'PRO-014',
    'The profile links to usp-protocol.dev for specifications and schemas of the protocol',
    async ({ target }) => {
      for (const { name, entry } of entriesOf(target).filter(({ name }) => name.startsWith(OWN_NAMESPACE)))
        for (const member of ['spec', 'schema'])
          expectEqual(originOf(entry[member]), OWN_ORIGIN, `the origin of ${member} of ${name}`)
    },
    { once },
  ),
  check(
    'PRO-016',
    'The profile links to the vendor’s domain for specifications and schemas of a vendor',
    async ({ target }) => {
      const vendors = entriesOf(target).filter(({ name }) => !name.startsWith(OWN_NAMESPACE))
      if (vendors.length === 0) throw new Skip('The profile has no capabilities of another vendor.')
      for (const { name, entry } of vendors) {
        const domain = name.split('.').slice(0, 2).reverse().join('.')
        for (const member of ['spec', 'schema']) {
          const host = new URL(originOf(entry[member])).hostname
          expectTrue(
            host === domain || host.endsWith(`.${domain}`),
            `an address at ${domain} in ${member} of ${name}`,
            entry[member],
          )
        }
      }
    },
    { once },
  ),
  check(
    'LIV-100',
    'Each name in the profile has the form of a reverse domain name',
    async ({ target }) => {
      for (const { name } of entriesOf(target)) expectTrue(NAME.test(name), 'a reverse domain name', name)
    },
    { once },
  ),
  check(
    'LIV-105',
    'A2A is not the only transport in the profile',
    async ({ target }) => {
      const transports = bindingsOf(target).map(({ transport }) => transport)
      expectTrue(
        transports.some((transport) => transport !== 'a2a'),
        'another transport than a2a',
        transports,
      )
    },
    { once },
  ),
  check(
    'PRO-023',
    'The profile lists only checkout systems of the protocol',
    async ({ target }) => {
      const systems = target.offer.checkout_systems
      if (systems === undefined) throw new Skip('The profile has no checkout_systems.')
      expectTrue(
        Array.isArray(systems) && systems.every((system) => ['acp', 'redirect', 'embedded'].includes(system)),
        'acp, redirect or embedded in usp.checkout_systems',
        systems,
      )
    },
    { once },
  ),
  check(
    'PRO-026',
    'Each location has an id and a name, and services refer to locations by these ids',
    async ({ target, services }) => {
      const { locations } = target.business
      if (locations === undefined) throw new Skip('The profile has no locations.')
      const ids = expectList(locations, 'usp.business.locations').map(({ id, name }) => {
        expectText(name, 'the name of a location')
        return expectText(id, 'the id of a location')
      })
      expectEqual(new Set(ids).size, ids.length, 'the number of different location ids')
      for (const { id, location_id } of services)
        if (location_id !== undefined)
          expectTrue(ids.includes(String(location_id)), `a published location in location_id of ${id}`, location_id)
    },
    { once },
  ),
  check(
    'PRO-027 PRO-031',
    'The profile publishes at least one key to verify signatures',
    async ({ target, schemas }) => {
      const keys = expectList(target.profile.keys, 'keys')
      expectTrue(keys.length > 0, 'at least one key', keys)
      for (const key of keys) {
        schemas.expectValid('profile#SigningKey', key, 'a key')
        expectText(key.kid, 'kid')
        const kty = expectText(key.kty, 'kty')
        for (const member of kty === 'EC' ? ['crv', 'x', 'y'] : []) expectText(key[member], member)
        expectEqual(key.use ?? 'sig', 'sig', 'use')
      }
    },
    { once },
  ),
  check(
    'PRO-029 PRO-030',
    'The members keys and signing_keys have the same keys',
    async ({ target: { profile, isUcpNative } }) => {
      if (isUcpNative && profile.signing_keys === undefined) throw new Skip('A profile of UCP has keys alone.')
      const [keys, signingKeys] = [profile.keys, profile.signing_keys].map((list) =>
        expectList(list, 'keys and signing_keys').toSorted((a, b) => String(a.kid).localeCompare(String(b.kid))),
      )
      expectEqual(signingKeys, keys, 'signing_keys')
    },
    { once },
  ),
]

function bindingsOf(target: Target): Members[] {
  const services = asMembers(target.offer.services) ?? {}
  return Object.values(services).flatMap((bindings) => expectList(bindings, 'the bindings of a service'))
}

/** Returns each service binding and each capability entry of the profile, with its name. */
function entriesOf(target: Target): { name: string; entry: Members }[] {
  const { services, capabilities } = target.offer
  return [services, capabilities].flatMap((registry) =>
    Object.entries(expectMembers(registry, 'services and capabilities')).flatMap(([name, entries]) =>
      expectList(entries, name).map((entry) => ({ name, entry })),
    ),
  )
}

function originOf(url: unknown): string {
  const text = expectText(url, 'the address')
  expectTrue(URL.canParse(text), 'an absolute URL', text)
  return new URL(text).origin
}
