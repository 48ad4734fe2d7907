import { asMembers } from '../../caller/answer.ts'
import { expectEqual, expectList, expectMembers, expectStatus, expectTrue } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { check } from '../check.ts'

const only = 'rest'

export const profileAccessChecks = [
  check(
    'PRO-005',
    'The profile is never answered with a redirect',
    async ({ anonymous, target }) => {
      const { host } = new URL(target.origin)
      const addresses = [target.profileUrl, `${target.profileUrl}?from=conformance`, `http://${host}/.well-known/usp`]
      for (const address of addresses) {
        const answer = await anonymous
          .request('GET', address, { headers: { accept: 'text/html' } })
          .catch(() => undefined)
        // A server that accepts no plaintext connection sends no redirect either.
        if (address !== target.profileUrl && !answer) continue
        expectTrue(
          answer !== undefined && (answer.status < 300 || answer.status > 399),
          `no redirect from ${address}`,
          `HTTP ${answer?.status}`,
        )
      }
    },
    { only },
  ),
  check(
    'PRO-006',
    'A plaintext request does not get the profile',
    async ({ anonymous, target }) => {
      const { protocol, host } = new URL(target.origin)
      if (protocol !== 'https:') throw new Skip('The server under test is reached without TLS.')
      const answer = await anonymous.request('GET', `http://${host}/.well-known/usp`).catch(() => undefined)
      expectEqual(asMembers(answer?.json)?.usp, undefined, 'the profile in the answer to a plaintext request')
    },
    { only },
  ),
  check(
    'PRO-007',
    'The profile is served whatever identity the request has',
    async ({ anonymous, target }) => {
      const headers = { 'usp-agent': 'profile="', authorization: 'Bearer of-nobody', dpop: 'no-proof' }
      const answer = await anonymous.request('GET', target.profileUrl, { headers })
      expectStatus(answer, 200)
      expectEqual(answer.json, target.profile, 'the profile')
    },
    { only },
  ),
  check(
    'PRO-038',
    'Each supported version has its own profile',
    async ({ anonymous, target }) => {
      const versions = asMembers(target.profile.usp)?.supported_versions
      if (versions === undefined) throw new Skip('The profile has no supported_versions.')
      for (const [version, address] of Object.entries(expectMembers(versions, 'usp.supported_versions'))) {
        const answer = await anonymous.request('GET', new URL(String(address), target.profileUrl).href)
        expectStatus(answer, 200)
        expectEqual(asMembers(asMembers(answer.json)?.usp)?.version, version, `usp.version of ${address}`)
      }
    },
    { only },
  ),
  check('PRO-012', 'Each endpoint of the profile leads to the same catalogue', async ({ anonymous, services }) => {
    const { services: found } = (await anonymous.call('listServices', { pagination: { limit: 1 } })).success()
    const first = expectList(found, 'services')[0]?.id
    expectTrue(
      services.length === 0 || services.some(({ id }) => id === first),
      'a service of the catalogue that the rest endpoint lists',
      first,
    )
  }),
  check(
    'PRO-018',
    'The catalogue searches by text if and only if its capability says so',
    async ({ anonymous, target, services }) => {
      if (services.length === 0) throw new Skip('The catalogue is empty.')
      const { search } = target.capability('services.catalog') ?? {}
      const result = (await anonymous.call('listServices', { query: 'zqxjkvwyq' })).success()
      const isFiltered = expectList(result.services, 'services').length === 0
      expectEqual(search === true, isFiltered, 'search of the catalogue capability')
    },
  ),
]
