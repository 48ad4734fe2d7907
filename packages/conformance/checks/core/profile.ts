import { expectEqual, expectList, expectMembers, expectStatus, expectText, expectTrue } from '../../run/expectations.ts'
import { Target } from '../../target/target.ts'
import { check } from '../check.ts'

const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k']

export const profileChecks = [
  check(
    'PRO-001 PRO-002 PRO-008',
    'The profile is a JSON document with the version and form of the protocol',
    async ({ anonymous, target, schemas }) => {
      const answer = await anonymous.request('GET', target.profileUrl)
      expectStatus(answer, 200)
      expectTrue(
        answer.headers['content-type']?.startsWith('application/json') ?? false,
        'the content type application/json',
        answer.headers['content-type'],
      )
      const read = new Target(target.origin, expectMembers(answer.json, 'the profile'), target.mode)
      if (read.isUcpNative) schemas.expectValid('usp#BusinessInfo', read.business, 'business')
      else schemas.expectValid('profile#BusinessProfile', answer.json, 'the profile')
      expectEqual(read.version, '2026-08-20', 'the version of the protocol')
    },
    { once: true },
  ),
  check(
    'PRO-003 PRO-004',
    'Caches may store the profile for at least a minute',
    async ({ anonymous, target }) => {
      const answer = await anonymous.request('GET', target.profileUrl)
      const directives = (answer.headers['cache-control'] ?? '').split(',').map((part) => part.trim().toLowerCase())
      expectTrue(directives.includes('public'), '`public` in Cache-Control', directives)
      const age = directives.find((directive) => directive.startsWith('max-age='))
      expectTrue(Number(age?.slice('max-age='.length)) >= 60, 'a max-age of at least 60 in Cache-Control', directives)
      const forbidden = directives.filter((directive) => ['no-store', 'no-cache', 'private'].includes(directive))
      expectEqual(forbidden, [], 'the directives of Cache-Control that forbid caching')
    },
    { once: true },
  ),
  check(
    'PRO-009 PRO-015',
    'Each service binding and each capability has its version, specification and schema',
    async ({ target }) => {
      const services = expectMembers(target.offer.services, 'usp.services')
      const bindings = expectList(services['dev.usp-protocol.services'], 'the service bindings')
      for (const binding of bindings)
        for (const member of ['version', 'endpoint', 'spec', 'schema'])
          expectText(binding[member], `${member} of a binding`)
      // This protocol has no rules for the entries of the Universal Commerce Protocol (UCP).
      for (const name of Object.keys(target.capabilities).filter((one) => !one.startsWith('dev.ucp.')))
        for (const entry of expectList(target.capabilities[name], name))
          for (const member of ['version', 'spec', 'schema']) expectText(entry[member], `${member} of ${name}`)
    },
    { once: true },
  ),
  check(
    'PRO-010',
    'A binding with the transport rest has its version, endpoint, specification and schema',
    async ({ target }) => {
      const services = expectMembers(target.offer.services, 'usp.services')
      const bindings = expectList(services['dev.usp-protocol.services'], 'the service bindings')
      const rest = bindings.find(({ transport }) => transport === 'rest')
      for (const member of ['version', 'endpoint', 'spec', 'schema']) expectText(rest?.[member], `${member} of rest`)
    },
    { only: 'rest' },
  ),
  check(
    'PRO-025',
    'The profile names the business, its timezone and its currency',
    async ({ target: { business } }) => {
      expectText(business.name, 'usp.business.name')
      const timezone = expectText(business.timezone, 'usp.business.timezone')
      expectTrue(isTimezone(timezone), 'an IANA name in usp.business.timezone', timezone)
      const currency = expectText(business.currency, 'usp.business.currency')
      expectTrue(/^[A-Z]{3}$/.test(currency), 'an ISO 4217 code in usp.business.currency', currency)
    },
    { once: true },
  ),
  check(
    'PRO-028',
    'No published key contains a private member',
    async ({ target: { profile } }) => {
      for (const key of [...((profile.keys as object[]) ?? []), ...((profile.signing_keys as object[]) ?? [])])
        expectEqual(
          Object.keys(key).filter((member) => PRIVATE_MEMBERS.includes(member)),
          [],
          'the private members of a key',
        )
    },
    { once: true },
  ),
]

function isTimezone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined
  } catch {
    return false
  }
}
