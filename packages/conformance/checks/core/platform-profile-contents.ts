import { asMembers, type Members } from '../../caller/answer.ts'
import type { HostedPlatform } from '../../platform/platform-host.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectMembers, expectTrue } from '../../run/expectations.ts'
import { check } from '../check.ts'
import { CATALOGUE, changedPlatform, ownEntry, platformWith, readCatalogue } from './named-platforms.ts'

const AVAILABILITY = 'dev.usp-protocol.services.availability'

export const platformProfileContentChecks = [
  check('PRO-059 PRO-055 ERR-043', 'The server refuses a platform profile that is not a JSON object', async (c) => {
    for (const body of ['<html></html>', '', '{"usp":', '[]'])
      await expectMalformed(c, ({ profileAnswer }) => {
        profileAnswer.body = body
      })
  }),
  check('PRO-060', 'The server refuses a platform profile with a missing or wrong member', async (c) => {
    const changes: ((document: Members, usp: Members) => void)[] = [
      (document) => {
        delete document.usp
        delete document.ucp
      },
      (_, usp) => delete usp.version,
      (_, usp) => delete usp.capabilities,
      (document) => Object.assign(document, { webhook_url: 7 }),
      (document) => Object.assign(document, { keys: [] }),
      (document) => Object.assign(document, { keys: [{ kty: 'EC' }] }),
    ]
    for (const change of changes)
      await expectMalformed(c, ({ document }) => change(document, asMembers(document.usp) ?? {}))
  }),
  check('PRO-061', 'A capability without its version, specification or schema makes the profile invalid', async (c) => {
    for (const member of ['version', 'spec', 'schema'] as const) {
      const { [member]: _, ...entry } = ownEntry()
      const { caller } = platformWith(c, { [CATALOGUE]: [entry] })
      ;(await readCatalogue(caller)).failsWith('profile_malformed')
    }
  }),
  check('PRO-062', 'The server ignores unknown members of a platform profile', async (c) => {
    const { caller } = changedPlatform(c, ({ document, key }) => {
      const usp = expectMembers(document.usp, 'usp')
      const unknown = { of_the_suite: [{ nested: null }] }
      const capabilities = { ...asMembers(usp.capabilities), [CATALOGUE]: [{ ...ownEntry(), ...unknown }] }
      Object.assign(document, unknown, {
        usp: { ...usp, ...unknown, capabilities },
        keys: [{ ...key.published, ...unknown }],
      })
    })
    ;(await readCatalogue(caller)).success()
  }),
  check('PRO-094', 'The server refuses a platform profile whose version is not a date', async (c) => {
    for (const version of ['latest', '1.0', '2026-8-20', 20260820])
      await expectMalformed(c, ({ document }) => setVersion(document, version))
  }),
  check('PRO-091 PRO-092 ERR-047', 'The server refuses a platform with a later version of the protocol', async (c) => {
    const { caller } = changedPlatform(c, ({ document }) => setVersion(document, '2099-01-01'))
    const answer = await readCatalogue(caller)
    answer.failsWith('version_unsupported', { rest: 400, mcp: -32008 })
    const latest = c.target.version
    expectTrue(answer.text.includes(latest), `the version ${latest} in the answer`, answer.text)
  }),
  check('PRO-093', 'The server accepts a platform with an earlier version of the protocol', async (c) => {
    const { caller } = changedPlatform(c, ({ document }) => setVersion(document, '2026-01-01'))
    ;(await readCatalogue(caller)).success()
  }),
  check(
    'LIV-098',
    'The server ignores a capability with documents at a foreign address, but uses the other capabilities',
    async (c) => {
      const foreign = { ...ownEntry(), schema: 'https://usp-protocol.dev.example/schemas/usp.json' }
      const catalogue = [ownEntry()]
      const without = platformWith(c, { [CATALOGUE]: [foreign], [AVAILABILITY]: [ownEntry()] }).caller
      ;(await readCatalogue(without)).refusedWith('capabilities_incompatible')
      const other = platformWith(c, { [CATALOGUE]: catalogue, [AVAILABILITY]: [foreign] }).caller
      ;(await readCatalogue(other)).success()
      const both = platformWith(c, { [CATALOGUE]: [foreign, ...catalogue] }).caller
      ;(await readCatalogue(both)).success()
    },
  ),
  check('LIV-100', 'The server accepts hyphens and underscores in the names of capabilities', async (c) => {
    const names = ['dev.usp-protocol.services.paid_bookings', 'com.example-shop.two_words.and-more']
    const entry = { ...ownEntry(), spec: 'https://example-shop.com/spec', schema: 'https://example-shop.com/schema' }
    const [own = '', vendor = ''] = names
    const { caller } = platformWith(c, { [CATALOGUE]: [ownEntry()], [own]: [ownEntry()], [vendor]: [entry] })
    ;(await readCatalogue(caller)).success()
  }),
]

async function expectMalformed(c: CheckContext, change: (platform: HostedPlatform) => unknown): Promise<void> {
  const { caller } = changedPlatform(c, change)
  ;(await readCatalogue(caller)).failsWith('profile_malformed')
}

function setVersion(document: Members, version: unknown): void {
  document.usp = { ...asMembers(document.usp), version }
}
