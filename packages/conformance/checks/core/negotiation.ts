import { type Answer, asMembers, type Members } from '../../caller/answer.ts'
import { expectEqual, expectList, expectMembers, expectTrue } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { check } from '../check.ts'
import { BOOKINGS, CATALOGUE, ownEntry, platformWith, readCatalogue, VENDOR, vendorEntry } from './named-platforms.ts'
import { overBoth } from './over-both.ts'

const WAITLIST = 'dev.usp-protocol.services.waitlist'

export const negotiationChecks = [
  check(
    'PRO-079 PRO-080 PRO-081',
    'An answer contains only the capability of its operation, with one version',
    async (c) => {
      const capabilities = capabilitiesOf(await readCatalogue(c.caller))
      expectTrue(CATALOGUE in capabilities, `${CATALOGUE} in the answer`, capabilities)
      for (const [name, value] of Object.entries(capabilities)) {
        expectTrue(name === CATALOGUE || name.startsWith(`${CATALOGUE}.`), 'a capability of the catalogue', name)
        const entries = expectList(value, name)
        expectEqual(entries.length, 1, `the number of entries of ${name}`)
        expectTrue(/^\d{4}-\d{2}-\d{2}$/.test(String(entries[0]?.version)), 'a version', entries)
      }
    },
  ),
  check('PRO-079 PRO-085', 'An answer contains no capability that the platform lacks', async (c) => {
    const { caller } = platformWith(c, { [BOOKINGS]: [ownEntry()], [VENDOR]: [vendorEntry()] })
    const answer = await readCatalogue(caller)
    expectEqual(
      Object.keys(capabilitiesOf(answer)).filter((name) => name !== BOOKINGS),
      [],
      'the capabilities that the platform lacks',
    )
  }),
  check('PRO-082', 'The server chooses the highest version that both sides list', async (c) => {
    const own = versionsIn(c.target.capabilities, CATALOGUE).map(String)
    const versions = ['2020-01-01', ...own, '2099-01-01']
    const { caller } = platformWith(c, { [CATALOGUE]: versions.map(ownEntry) })
    const answer = await readCatalogue(caller)
    answer.success()
    expectEqual(versionsIn(capabilitiesOf(answer), CATALOGUE), [own.toSorted().at(-1)], `the versions of ${CATALOGUE}`)
  }),
  check('PRO-083', 'The server treats a capability without a common version as not shared', async (c) => {
    const { caller } = platformWith(c, { [CATALOGUE]: [ownEntry('2020-01-01'), ownEntry('2099-01-01')] })
    ;(await readCatalogue(caller)).refusedWith('capabilities_incompatible')
  }),
  check(
    'PRO-084',
    'An answer contains no extension of a capability that the platform lacks',
    async (c) => {
      const parent = c.target.capability('services.waitlist')?.extends
      if (typeof parent !== 'string') throw new Skip('The waitlist of the business extends no capability.')
      const { caller } = platformWith(c, { [WAITLIST]: [ownEntry()], [CATALOGUE]: [ownEntry()] })
      const answer = await caller.call('listWaitlist')
      expectEqual(WAITLIST in capabilitiesOf(answer), false, `the presence of ${WAITLIST} in the answer`)
    },
    { needs: ['services.waitlist'] },
  ),
  check(
    'PRO-085 ERR-039 LIV-017',
    'A platform without a common capability gets a business refusal, and no services',
    async (c) => {
      const { caller } = platformWith(c, { [VENDOR]: [vendorEntry()] })
      const answer = await readCatalogue(caller)
      const refusal = answer.refusedWith('capabilities_incompatible')
      expectEqual(refusal.severity, 'unrecoverable', 'severity')
      expectEqual(answer.messages.filter(({ type }) => type === 'error').length, 1, 'the number of error messages')
      expectEqual('services' in (answer.result ?? {}), false, 'the presence of services in the refusal')
    },
  ),
  check(
    'PRO-086',
    'The server does not hold a slot for a platform without a common capability',
    async (c) => {
      const slot = await c.slot(c.simpleService)
      const input = { service_id: c.simpleService.id, slot_id: slot.id }
      const stranger = platformWith(c, { [VENDOR]: [vendorEntry()] }).caller
      const refused = await stranger.call('hold', input)
      refused.refusedWith('capabilities_incompatible')
      expectEqual('hold' in (refused.result ?? {}), false, 'the presence of a hold in the refusal')
      const { hold } = (await c.caller.call('hold', input)).success()
      c.endHoldAfterwards(slot, expectMembers(hold, 'hold'))
    },
    { needs: ['services.availability'] },
  ),
  check(
    'PRO-088',
    'The answer to an anonymous call contains the version and the capability of the business',
    async (c) => {
      const answer = await readCatalogue(c.anonymous)
      const usp = expectMembers(answer.success().usp, 'usp')
      expectEqual(usp.version, c.target.version, 'usp.version')
      const [version] = versionsIn(capabilitiesOf(answer), CATALOGUE)
      expectTrue(
        versionsIn(c.target.capabilities, CATALOGUE).map(String).includes(String(version)),
        'a version of the business',
        version,
      )
    },
  ),
  check(
    'PRO-089',
    'A platform gets the same capabilities over both bindings',
    async (c) => {
      const platforms = [platformWith(c, { [CATALOGUE]: [ownEntry()] }), platformWith(c, { [BOOKINGS]: [ownEntry()] })]
      for (const { caller } of platforms) {
        const [rest, mcp] = (await overBoth(c, caller, 'listServices')).map(capabilitiesOf)
        expectEqual(mcp, rest, 'usp.capabilities over MCP')
      }
    },
    { only: 'rest' },
  ),
]

const capabilitiesOf = ({ result }: Answer): Members => asMembers(asMembers(result?.usp)?.capabilities) ?? {}

const versionsIn = (capabilities: Members, name: string): unknown[] =>
  expectList(capabilities[name], name).map(({ version }) => version)
