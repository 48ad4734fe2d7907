import { expect, test } from 'vitest'
import { operations } from '../../src/server/all-operations.ts'
import { businessWith, service } from '../support/definitions.ts'
import { buyer, onBothDesks, testShop } from '../support/desk.ts'
import { testPlatform } from '../support/platform.ts'
import { testServer } from '../support/server.ts'

const WAITLIST = 'dev.usp-protocol.services.waitlist'
const served = operations.filter(({ tool }) => tool.startsWith('usp_waitlist_'))

test.each([
  ['standalone', '/.well-known/usp', 'usp'],
  ['ucp_native', '/.well-known/ucp', 'ucp'],
] as const)(
  '[LIV-032] a business whose mode is %s advertises the waitlist whose outcomes it sends',
  async (deployment_mode, path, member) => {
    const server = await testServer(businessWith([service('svc_a')], { deployment_mode }))
    const { body } = await server.rest('GET', path)
    expect(body[member].capabilities).toHaveProperty([WAITLIST])
    expect(new Set(served.map(({ capability }) => capability))).toEqual(new Set([WAITLIST]))
  },
)

await onBothDesks(
  () => testShop(businessWith([service('svc_a')])),
  (desk, shop) => {
    test('[LIV-032] a platform without the capability gets no outcome of the waitlist', async () => {
      const entry = { version: '2026-08-20', spec: 'https://example.com/spec', schema: 'https://example.com/s' }
      const capabilities = { 'dev.usp-protocol.services.bookings': [entry] }
      const { url } = await testPlatform({ usp: { version: '2026-08-20', capabilities } })
      const as = await shop.newPlatform(url)
      const calls: [string, Record<string, unknown>][] = [
        ['usp_waitlist_join', { service_id: 'svc_a', buyer }],
        ['usp_waitlist_accept', { entry_id: 'wle_none' }],
        ['usp_waitlist_get', { entry_id: 'wle_none' }],
      ]
      for (const [tool, input] of calls) {
        const { code, severity } = await desk.call(tool, input, { as })
        expect([tool, code, severity]).toEqual([tool, 'capabilities_incompatible', 'unrecoverable'])
      }
    })
  },
)
