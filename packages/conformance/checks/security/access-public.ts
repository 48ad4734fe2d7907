import type { Members } from '../../caller/answer.ts'
import type { CallOptions } from '../../caller/caller.ts'
import type { OperationName } from '../../caller/operations.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectStatus, inCase } from '../../run/expectations.ts'
import { dateIn } from '../../target/free-slots.ts'
import { check } from '../check.ts'
import { listedBusiness } from '../registry/listed-business.ts'
import { signed, unknownCredential } from './probe.ts'

interface PublicOperation {
  rule: string
  name: OperationName
  needs: string
  input: (c: CheckContext) => Members | Promise<Members>
}

const catalog = 'services.catalog'
const registry = 'discovery.registry'

const publicOperations: PublicOperation[] = [
  { rule: 'AUT-002', name: 'listServices', needs: catalog, input: () => ({}) },
  { rule: 'AUT-003', name: 'getService', needs: catalog, input: (c) => ({ service_id: anyService(c).id }) },
  { rule: 'AUT-004', name: 'lookupServices', needs: catalog, input: (c) => ({ ids: [anyService(c).id] }) },
  { rule: 'AUT-005', name: 'readFeed', needs: 'services.catalog.subscriptions', input: () => ({}) },
  {
    rule: 'AUT-006',
    name: 'queryAvailability',
    needs: 'services.availability',
    input: (c) => ({ service_id: anyService(c).id, start_date: dateIn(2), end_date: dateIn(3) }),
  },
  {
    rule: 'AUT-007',
    name: 'getRegistration',
    needs: registry,
    input: async (c) => ({ id: (await listedBusiness(c)).registration.id }),
  },
  { rule: 'AUT-008', name: 'searchBusinesses', needs: registry, input: () => ({ query: 'a' }) },
  { rule: 'AUT-009', name: 'searchServices', needs: registry, input: () => ({ query: 'a' }) },
]

/** Invalid identities. The server must refuse them for privileged operations. */
const failing: [identity: string, options: CallOptions][] = [
  ['an invalid signature', signed({ without: ['@path'], also: [['@path', '/']] })],
  ['an invalid proof', { authentication: 'proof', proof: { header: { typ: 'JWT' } } }],
  ['an unknown token', { headers: { authorization: 'Bearer token_of_nobody' } }],
  ['an unknown credential', { authentication: 'proof', credential: unknownCredential() }],
]

export const publicAccessChecks = [
  check(
    'AUT-001',
    'The profile is public, even for a caller with an invalid identity',
    async ({ anonymous, target }) => {
      const invalid: Record<string, string>[] = [
        { authorization: 'Bearer token_of_nobody' },
        { authorization: `DPoP ${unknownCredential()}`, dpop: 'garbage' },
        { signature: 'sig1=:AAAA:', 'signature-input': 'sig1=("@method");keyid="key_of_nobody"' },
      ]
      for (const headers of [{}, ...invalid])
        expectStatus(await anonymous.request('GET', target.profileUrl, { headers }), 200)
    },
    { once: true },
  ),
  ...publicOperations.map(({ rule, name, needs, input }) =>
    check(
      rule,
      `${name} is public, even for a caller with an invalid identity`,
      async (c) => {
        const wanted = await input(c)
        ;(await c.anonymous.call(name, wanted)).success()
        for (const [identity, options] of failing) {
          const answer = await c.sharedPlatform.caller.call(name, wanted, options)
          inCase(identity, () => answer.success())
        }
      },
      { needs: [needs] },
    ),
  ),
]

const anyService = (c: CheckContext) => c.service('service', () => true)
