import { describe, expect, test } from 'vitest'
import { addClient } from '../../src/core/authentication/api-keys.ts'
import { platformProfile, testPlatform } from '../support/platform.ts'
import { type UcpCaller, ucpPlatform, ucpShop } from './ucp-shop.ts'

const shop = await ucpShop()
const profile = ucpPlatform()
const sessions = '/checkout-sessions/chk_unknown'

const publishing = async (document: object) => {
  const platform = await testPlatform()
  platform.profile = { ...document }
  const { key } = await addClient(shop.runtime.db, 'Platform', shop.time.now)
  return { profile: platform.url, bearer: key }
}

const overRest = async (as: UcpCaller) => {
  const { status, body } = await shop.send('GET', sessions, undefined, { as })
  return { http: status, code: body.code ?? body.messages[0].code, content: body.content, errors: body.errors }
}

const overMcp = async ({ profile, bearer }: UcpCaller) => {
  const params = { name: 'get_checkout', arguments: { meta: { 'ucp-agent': { profile } }, id: 'chk_unknown' } }
  const { status, body } = await shop.raw({
    method: 'POST',
    url: '/ucp/mcp',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${bearer}` },
    payload: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  })
  const { error, result } = body
  return { http: status, rpc: error?.code, ...(error?.data ?? result.structuredContent.messages[0]) }
}

const overUsp = async ({ profile }: UcpCaller) => {
  const { status, body } = await shop.rest('POST', '/services/list', {}, { 'ucp-agent': `profile="${profile}"` })
  return { http: status, code: body.code ?? body.messages?.[0].code }
}

describe('the platform profile of a UCP call', () => {
  test.each(['2026-08-24', '2026-08-26', '2030-01-01'])(
    'must have the version of this server, and not %s',
    async (version) => {
      const as = await publishing({ ...profile, ucp: { ...profile.ucp, version } })
      const unsupported = { http: 422, code: 'version_unsupported', content: expect.stringContaining(version) }
      expect(await overRest(as)).toMatchObject(unsupported)
      expect(await overMcp(as)).toMatchObject({ ...unsupported, rpc: -32001 })
      expect(await overUsp(as)).toEqual({ http: 200, code: undefined })
    },
  )

  test('of a USP platform too must have the version of this server', async () => {
    const both = (version: string) => publishing({ ...platformProfile(), ucp: { ...profile.ucp, version } })
    expect(await overRest(await both('2026-08-24'))).toMatchObject({ http: 422, code: 'version_unsupported' })
    expect(await overRest(await both('2026-08-25'))).toMatchObject({ http: 200, code: 'not_found' })
  })

  test('counts by its member ucp if it has both members, and a malformed one does not hinder USP', async () => {
    const as = await publishing({ ...platformProfile(), ucp: profile.ucp })
    const slot = (await shop.slotsOf('svc_free')).at(-1)
    const { status, body } = await shop.send('POST', '/checkout-sessions', shop.request(slot), { as })
    expect([status, body.status]).toEqual([201, 'ready_for_complete'])
    const broken = await publishing({ ...platformProfile(), ucp: { ...profile.ucp, capabilities: [] } })
    const malformed = { http: 422, code: 'profile_malformed' }
    expect(await overRest(broken)).toMatchObject(malformed)
    expect(await overMcp(broken)).toMatchObject({ ...malformed, rpc: -32001 })
    expect(await overUsp(broken)).toEqual({ http: 200, code: undefined })
  })

  test.each([
    ['nothing', {}],
    ['a profile of USP only', platformProfile()],
  ])('must have the member ucp, and not %s', async (_, document) => {
    const as = await publishing(document)
    const malformed = { http: 422, code: 'profile_malformed', errors: [{ field: 'ucp', message: 'is missing' }] }
    for (const _ of ['fetched', 'kept']) {
      expect(await overRest(as)).toMatchObject(malformed)
      expect(await overMcp(as)).toMatchObject({ ...malformed, rpc: -32001 })
    }
  })

  test('needs no capabilities to be valid, but has none in common then', async () => {
    const { capabilities: _, ...ucp } = profile.ucp
    const as = await publishing({ ucp })
    for (const answer of [await overRest(as), await overMcp(as), await overUsp(as)])
      expect(answer).toMatchObject({ http: 200, code: 'capabilities_incompatible' })
  })
})
