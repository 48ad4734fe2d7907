import { createServer } from 'node:net'
import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual, expectTrue } from '../../run/expectations.ts'
import { check } from '../check.ts'
import { callerNaming, platformWith, readCatalogue, VENDOR, vendorEntry } from './named-platforms.ts'

const MALFORMED_HEADERS = ['profile="', 'profile=', '"https://agent.example/profile"', 'profile="no url"', 'profile=?1']
const SPECIAL_ADDRESSES = ['10.0.0.1', '172.16.0.1', '192.168.0.1', '100.64.0.1', '0.0.0.0', '[fd00::1]', '[fe80::1]']
/** Other spellings of the private address 10.0.0.1. */
const DISGUISED_ADDRESSES = ['[::ffff:10.0.0.1]', '167772161', '0xa000001', '012.0.0.1']

export const agentNamingChecks = [
  check(
    'PRO-041',
    'The server reads the header USP-Agent as a dictionary and ignores unknown members',
    async (c) => {
      const { hosted, caller } = platformWith(c, { [VENDOR]: [vendorEntry()] })
      const headers = { 'usp-agent': `other;a=1, profile="${hosted.profile}";v=2, more=(1 2)` }
      const answer = await caller.call('listServices', {}, { headers })
      // The business shares no capability with this platform. Therefore this error shows that the server read the
      // profile.
      answer.refusedWith('capabilities_incompatible')
    },
    { only: 'rest' },
  ),
  check(
    'PRO-044 ERR-041',
    'Even a public operation refuses a header USP-Agent without a valid URL',
    async ({ anonymous }) => {
      for (const header of MALFORMED_HEADERS) {
        const answer = await anonymous.call('listServices', {}, { headers: { 'usp-agent': header } })
        answer.failsWith('invalid_profile_url')
      }
    },
    { only: 'rest' },
  ),
  check(
    'PRO-045 ERR-041 LIV-015',
    'Even a public operation refuses a _meta.usp.profile that is not a URL',
    async (c) => {
      for (const profile of ['no url', '', '/profile.json'])
        (await readCatalogue(callerNaming(c, profile))).failsWith('invalid_profile_url')
    },
    { only: 'mcp' },
  ),
  check('PRO-046', 'The server refuses a profile address without https, and does not fetch it', async (c) => {
    const listener = await countConnections(c)
    const addresses = [
      `http://127.0.0.1:${listener.port}/profile`,
      `ftp://127.0.0.1:${listener.port}/profile`,
      'file:///etc/hostname',
      'data:application/json,{}',
    ]
    for (const address of addresses) (await readCatalogue(callerNaming(c, address))).failsWith('invalid_profile_url')
    expectEqual(listener.count(), 0, 'the number of connections to the named address')
  }),
  check('PRO-047', 'The server refuses a profile address with a private IP address', async (c) => {
    // A server in development may call its own machine, so the check leaves these addresses out.
    const isLocal = /^(127\.|localhost|\[::1])/.test(new URL(c.target.origin).hostname)
    for (const host of [...SPECIAL_ADDRESSES, ...(isLocal ? [] : ['127.0.0.1', '[::1]'])])
      (await readCatalogue(callerNaming(c, `https://${host}/profile`))).failsWith('invalid_profile_url')
  }),
  check('PRO-048', 'The server refuses a profile address at the metadata service of a cloud', async (c) => {
    const address = 'https://169.254.169.254/latest/meta-data'
    ;(await readCatalogue(callerNaming(c, address))).failsWith('invalid_profile_url')
  }),
  check('PRO-051', 'The server refuses a private IP address in an unusual spelling', async (c) => {
    for (const host of DISGUISED_ADDRESSES)
      (await readCatalogue(callerNaming(c, `https://${host}/profile`))).failsWith('invalid_profile_url')
  }),
]

async function countConnections(c: CheckContext): Promise<{ port: number; count: () => number }> {
  let count = 0
  const server = createServer((socket) => {
    count++
    socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  c.afterwards(() => server.close())
  const address = server.address()
  expectTrue(typeof address === 'object' && address !== null, 'a port', address)
  return { port: address.port, count: () => count }
}
