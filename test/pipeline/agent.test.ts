import { describe, expect, test } from 'vitest'
import { businessWith, service } from '../support/definitions.ts'
import { testPlatform } from '../support/platform.ts'
import { testServer } from '../support/server.ts'

const server = await testServer(businessWith([service('svc_a')]))
const platform = await testPlatform()

const overRest = async (agent: string | undefined) => {
  const headers = agent === undefined ? {} : { 'usp-agent': agent }
  const { status, body } = await server.rest('POST', '/services/list', {}, headers)
  return { status, code: body.code, services: body.services }
}

const overMcp = async (meta: unknown) => {
  const { body } = await server.tool('usp_services_list', meta === undefined ? {} : { _meta: meta })
  return {
    status: body.error?.code ?? 200,
    code: body.error?.data.code,
    services: body.result?.structuredContent.services,
  }
}
const served = { status: 200, code: undefined, services: [expect.objectContaining({ id: 'svc_a' })] }

describe('over REST', () => {
  test('[PRO-042] a public call is served without naming a platform', async () => {
    expect(await overRest(undefined)).toEqual(served)
    expect((await server.rest('GET', '/services/svc_a')).status).toBe(200)
  })

  test.each([
    'profile="URL"',
    '  profile="URL"  ',
    'name="Agent", profile="URL"',
    'profile="URL";v=1, version=2, flag, list=(1 2), bytes=:AAE=:',
    'profile="https://10.0.0.1/", profile="URL"',
  ])('[PRO-041] the header is a dictionary and its other members are ignored: %s', async (header) => {
    const before = platform.fetched
    expect(await overRest(header.replace('URL', `${platform.url}?${encodeURIComponent(header)}`))).toEqual(served)
    expect(platform.fetched).toBe(before + 1)
  })

  test.each([
    ['nothing', ''],
    ['a bare address', 'https://agent.example/p'],
    ['no profile', 'name="Agent"'],
    ['a member in capitals', 'Profile="https://agent.example/p"'],
    ['an open string', 'profile="https://agent.example/p'],
    ['a token', 'profile=agent'],
    ['a flag', 'profile'],
    ['a number', 'profile=1'],
    ['an inner list', 'profile=("https://agent.example/p")'],
    ['bytes', 'profile=:aHR0cHM6Ly9h:'],
    ['single quotes', "profile='https://agent.example/p'"],
    ['an empty string', 'profile=""'],
    ['no URL', 'profile="agent"'],
    ['a relative reference', 'profile="/profile.json"'],
    ['text behind', 'profile="https://agent.example/p" x'],
    ['a trailing comma', 'profile="https://agent.example/p",'],
  ])('[PRO-044] a header with %s is refused, although the operation is public', async (_, header) => {
    expect(await overRest(header)).toEqual({ status: 400, code: 'invalid_profile_url', services: undefined })
  })
})

describe('over MCP', () => {
  test('[PRO-042] a public tool is served without naming a platform', async () => {
    for (const meta of [undefined, {}, { usp: {} }, { progressToken: 1 }, { 'agent.example/trace': 'x', usp: {} }])
      expect(await overMcp(meta), JSON.stringify(meta)).toEqual(served)
  })

  test.each([
    '',
    'agent',
    '/profile.json',
    'profile="https://agent.example/p"',
    'https://',
    1,
    null,
    true,
    [],
    {},
    ['https://agent.example/p'],
  ])('[PRO-045] a profile that is no URL has a code of its own: %j', async (profile) => {
    const refused = { status: -32602, code: 'invalid_profile_url', services: undefined }
    expect(await overMcp({ usp: { profile } })).toEqual(refused)
  })

  test('[MCP-016] the profile is read from the arguments; beside them it names nobody', async () => {
    const call = async (params: object) => {
      const { body } = await server.raw({
        method: 'POST',
        url: '/usp/mcp',
        headers: { 'content-type': 'application/json' },
        payload: { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'usp_services_list', ...params } },
      })
      return body.error?.data.code ?? body.result.structuredContent.services.length
    }
    const _meta = { usp: { profile: 'ftp://agent.example/p' } }
    expect(await call({ arguments: { _meta } })).toBe('invalid_profile_url')
    expect(await call({ arguments: {}, _meta })).toBe(1)
    expect(await call({ _meta })).toBe(1)
  })

  test('[MCP-016] the HTTP header names nobody to a tool', async () => {
    const { body } = await server.raw({
      method: 'POST',
      url: '/usp/mcp',
      headers: { 'content-type': 'application/json', 'usp-agent': 'profile="ftp://agent.example/p"' },
      payload: { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'usp_services_list', arguments: {} } },
    })
    expect(body.result.structuredContent.services).toHaveLength(1)
  })
})

test.each([
  ['[PRO-046]', 'http://agent.example/p'],
  ['[PRO-046]', 'ftp://agent.example/p'],
  ['[PRO-046]', 'file:///etc/passwd'],
  ['[PRO-046]', 'data:application/json,{}'],
  ['[PRO-047]', 'https://10.0.0.1/p'],
  ['[PRO-047]', 'https://192.168.0.1:8443/p'],
  ['[PRO-047]', 'https://[fd00::1]/p'],
  ['[PRO-047]', 'https://[fe80::1]/p'],
  ['[PRO-048]', 'https://169.254.169.254/latest/meta-data'],
  ['[PRO-051]', 'https://[::ffff:10.0.0.1]/p'],
  ['[PRO-051]', 'https://167772161/p'],
  ['[PRO-051]', 'https://0xa000001/p'],
  ['[PRO-051]', 'https://012.0.0.1/p'],
])('%s a profile at %s is refused alike on both bindings', async (_, url) => {
  expect(await overRest(`profile="${url}"`)).toMatchObject({ status: 400, code: 'invalid_profile_url' })
  expect(await overMcp({ usp: { profile: url } })).toMatchObject({ status: -32602, code: 'invalid_profile_url' })
})

test('[PRO-046] nothing is fetched from an address that is not https', async () => {
  const before = platform.fetched
  const url = platform.url.replace('https', 'http')
  expect(await overRest(`profile="${url}"`)).toMatchObject({ status: 400, code: 'invalid_profile_url' })
  expect(await overMcp({ usp: { profile: url } })).toMatchObject({ status: -32602, code: 'invalid_profile_url' })
  expect(platform.fetched).toBe(before)
})
