import { asMembers } from '../../caller/answer.ts'
import { expectEqual, expectList, expectMembers, expectStatus, expectTrue } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { check } from '../check.ts'

const once = true

export const profileAccessChecks = [
  check(
    'PRO-005',
    'The server never redirects a request for the profile',
    async ({ anonymous, target }) => {
      const { host } = new URL(target.origin)
      const addresses = [
        target.profileUrl,
        `${target.profileUrl}?from=conformance`,
        `http://${host}${new URL(target.profileUrl).pathname}`,
      ]
      for (const address of addresses) {
        const answer = await anonymous
          .request('GET', address, { headers: { accept: 'text/html' } })
          .catch(() => undefined)
        // A server may refuse plaintext connections. Then it sends no answer, and so no redirect.
        if (address !== target.profileUrl && !answer) continue
        expectTrue(
          answer !== undefined && (answer.status < 300 || answer.status > 399),
          `no redirect from ${address}`,
          `HTTP ${answer?.status}`,
        )
      }
    },
    { once },
  ),
  check(
    'PRO-006',
    'The server does not return the profile over plaintext HTTP',
    async ({ anonymous, target }) => {
      const { protocol, host } = new URL(target.origin)
      if (protocol !== 'https:') throw new Skip('The suite reaches the server without TLS.')
      const answer = await anonymous
        .request('GET', `http://${host}${new URL(target.profileUrl).pathname}`)
        .catch(() => undefined)
      expectEqual(
        asMembers(answer?.json)?.[target.isUcpNative ? 'ucp' : 'usp'],
        undefined,
        'the profile in the answer to a plaintext request',
      )
    },
    { once },
  ),
  check(
    'PRO-007',
    'The server returns the profile even for a request with invalid credentials',
    async ({ anonymous, target }) => {
      const headers = { 'usp-agent': 'profile="', authorization: 'Bearer of-nobody', dpop: 'no-proof' }
      const answer = await anonymous.request('GET', target.profileUrl, { headers })
      expectStatus(answer, 200)
      expectEqual(answer.json, target.profile, 'the profile')
    },
    { once },
  ),
  check(
    'PRO-038',
    'Each supported version has a separate profile',
    async ({ anonymous, target }) => {
      const versions = target.offer.supported_versions
      if (versions === undefined) throw new Skip('The profile has no supported_versions.')
      for (const [version, address] of Object.entries(expectMembers(versions, 'usp.supported_versions'))) {
        const answer = await anonymous.request('GET', new URL(String(address), target.profileUrl).href)
        expectStatus(answer, 200)
        expectEqual(asMembers(asMembers(answer.json)?.usp)?.version, version, `usp.version of ${address}`)
      }
    },
    { once },
  ),
  check('PRO-012', 'All endpoints in the profile lead to the same catalogue', async ({ anonymous, services }) => {
    const { services: found } = (await anonymous.call('listServices', { pagination: { limit: 1 } })).success()
    const first = expectList(found, 'services')[0]?.id
    expectTrue(
      services.length === 0 || services.some(({ id }) => id === first),
      'a service of the catalogue that this endpoint lists',
      first,
    )
  }),
  check(
    'PRO-018',
    'The catalogue searches by text if, and only if, its capability says so',
    async ({ anonymous, target, services }) => {
      if (services.length === 0) throw new Skip('The catalogue is empty.')
      const { search } = target.capability('services.catalog') ?? {}
      const result = (await anonymous.call('listServices', { query: 'zqxjkvwyq' })).success()
      const isFiltered = expectList(result.services, 'services').length === 0
      expectEqual(search === true, isFiltered, 'search of the catalogue capability')
    },
  ),
]
