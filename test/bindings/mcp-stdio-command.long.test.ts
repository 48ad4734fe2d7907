import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { addClient } from '../../src/core/authentication/api-keys.ts'
import { operations } from '../../src/server/all-operations.ts'
import { freshDatabase } from '../support/database.ts'
import { businessWith, services } from '../support/definitions.ts'
import { testKey, testPlatform, toolProof } from '../support/platform.ts'
import { isForPlatforms } from '../support/published-tools.ts'
import { testServer } from '../support/server.ts'

const databaseUrl = await freshDatabase()
const http = await testServer(
  businessWith(services(3), { limits: { failed_authentications: 1000 }, registry: { enabled: true } }),
  { databaseUrl },
)
const folder = mkdtempSync(join(tmpdir(), 'usp-stdio-'))
const [command, args] = ['node_modules/.bin/node', ['src/main.ts', 'mcp-stdio']]
const env = {
  PATH: String(process.env.PATH),
  DATABASE_URL: databaseUrl,
  USP_DATA_DIR: folder,
  // Another than the database was sealed with would end the process within seconds.
  USP_SECRET_KEY: 'a secret key that only the tests know',
}

const noise: unknown[] = []
const me = { name: 'test', version: '1' }
const newer = new Client(me, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
const older = new OldClient(me)
for (const client of [newer, older]) client.onerror = (error) => noise.push(error)
await Promise.all([
  newer.connect(new StdioClientTransport({ command, args, env, stderr: 'ignore' })),
  older.connect(new OldTransport({ command, args, env, stderr: 'ignore' })),
])
afterAll(async () => {
  await Promise.all([newer.close(), older.close()])
  rmSync(folder, { recursive: true })
})

const SUBSCRIBE = 'usp_services_feed_subscribe'
const wish = { callback_url: 'https://127.0.0.1:9443/hook' }
const platform = await testPlatform()
const key = testKey()
const { key: apiKey } = await addClient(http.runtime.db, 'Known', new Date())
const proof = (claims: object = {}, tool = SUBSCRIBE, input: object = wish) =>
  toolProof(key, tool, { ...input, _meta: { usp: { profile: platform.url } } }, new Date(), claims)
const byProof = (make: () => string | undefined) => () => ({ mechanism: 'platform_key_pop', proof: make() })
const byName = (mechanism: string, credential?: string) => () => ({ mechanism, credential })

const accepted = { 'an API key': byName('api_key', apiKey), 'a proof': byProof(proof) }
const refused: [string, number, string, () => object | undefined][] = [
  ['nothing', -32006, 'authentication_required', () => undefined],
  ['an unknown API key', -32006, 'authentication_required', byName('api_key', `usk_${'x'.repeat(43)}`)],
  ['an API key that is not there', -32006, 'authentication_required', byName('api_key')],
  ['an API key by another name', -32006, 'authentication_required', byName('oauth2_bearer', apiKey)],
  ['an unknown credential', -32006, 'authentication_required', byName('booking_scoped_credential', 'bsc_unknown')],
  ['a mechanism that nobody knows', -32006, 'authentication_required', byName('password', apiKey)],
  ['a certificate that is not there', -32006, 'authentication_required', byName('mtls')],
  ['a signature that is not there', -32006, 'signature_missing', byName('http_message_signature')],
  ['a proof that is not there', -32001, 'pop_proof_missing', byProof(() => undefined)],
  ['no proof at all', -32001, 'pop_proof_invalid', byProof(() => 'no proof')],
  ['a proof of another tool', -32001, 'pop_proof_invalid', byProof(() => proof({}, 'usp_services_feed_unsubscribe'))],
  ['a proof of other input', -32001, 'pop_proof_invalid', byProof(() => proof({}, SUBSCRIBE, {}))],
  ['a proof for another business', -32001, 'pop_proof_invalid', byProof(() => proof({ aud: 'https://other.example' }))],
  ['a proof of long ago', -32001, 'pop_proof_invalid', byProof(() => proof({ iat: 1 }))],
]

describe.each([
  ['the current client', newer],
  ['the previous client', older],
])('%s over stdio', (_, client) => {
  const call = (name: string, input: Record<string, unknown>): Promise<object> =>
    client.callTool({ name, arguments: input })

  test('lists the tools', async () => {
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(operations.filter(isForPlatforms).map(({ tool }) => tool))
  })

  test.each([
    ['usp_services_list', { query: 'svc_002' }],
    ['usp_services_get', { service_id: 'svc_001' }],
    ['usp_services_lookup', { ids: ['svc_000', 'svc_none'] }],
  ])('%s answers as it does over HTTP', async (name, input) => {
    expect(await call(name, input)).toMatchObject((await http.tool(name, input)).body.result)
  })

  test('a protocol error is raised with its number and its data', async () => {
    await expect(call('usp_services_get', { service_id: 'svc_none' })).rejects.toMatchObject({
      code: -32602,
      data: { code: 'service_not_found', content: expect.stringContaining('svc_none') },
    })
  })

  describe('[MCP-042] `_meta.usp.authorization` is judged as it is over HTTP:', () => {
    /** What is answered to the same call over either transport, each with an authorization of its own making. */
    async function overBoth(authorization: () => object | undefined) {
      http.time.now = new Date() // The process beside it has no clock but the true one.
      const input = () => ({ ...wish, _meta: { usp: { profile: platform.url, authorization: authorization() } } })
      const { result, error } = (await http.tool(SUBSCRIBE, input())).body
      const overStdio = await call(SUBSCRIBE, input()).catch(({ code, data }) => ({ code, data }))
      return { overStdio, overHttp: result ?? { code: error.code, data: error.data } }
    }

    test.each(Object.entries(accepted))('%s is accepted', async (_, authorization) => {
      const { overStdio, overHttp } = await overBoth(authorization)
      for (const answer of [overStdio, overHttp])
        expect(answer).toMatchObject({ structuredContent: { subscription: { status: 'active' } } })
    })

    test.each(refused)('%s gives %i %s', async (_, number, code, authorization) => {
      const { overStdio, overHttp } = await overBoth(authorization)
      expect(overHttp).toMatchObject({ code: number, data: { code } })
      expect(overStdio).toEqual(overHttp)
    })

    test('a proof that was used over HTTP gives -32001 pop_proof_replayed', async () => {
      const authorization = { mechanism: 'platform_key_pop', proof: proof() }
      const { overStdio, overHttp } = await overBoth(() => authorization)
      expect(overHttp).toHaveProperty('structuredContent')
      expect(overStdio).toMatchObject({ code: -32001, data: { code: 'pop_proof_replayed' } })
    })
  })

  test('nothing but the protocol is written to the standard output', () => {
    expect(noise).toEqual([])
  })
})

describe('without a client library', () => {
  const start = () => {
    const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'inherit'] })
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
    const send = async (line: string | Buffer) => {
      child.stdin.write(line)
      child.stdin.write('\n')
      return JSON.parse(String((await lines.next()).value))
    }
    const ask = (method: string, params: object) => send(JSON.stringify({ jsonrpc: '2.0', id: 7, method, params }))
    const ended = once(child, 'exit')
    onTestFinished(() => void child.kill())
    return { ask, send, ended, close: () => child.stdin.end() }
  }
  const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: me }

  test('[MCP-026] arguments by position are refused as they are over HTTP', async () => {
    const { ask } = start()
    await ask('initialize', hello)
    const { error } = await ask('tools/call', { name: 'usp_services_get', arguments: ['svc_001'] })
    expect(error).toMatchObject({ code: -32600, data: { code: 'invalid_request', content: expect.any(String) } })
  })

  test('[MCP-029] a line that is not JSON gives -32700 with the id null, and the session goes on', async () => {
    const { ask, send } = start()
    await ask('initialize', hello)
    const latin1 = Buffer.from('{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{"cursor":"\xe9"}}', 'latin1')
    for (const line of ['{"jsonrpc":"2.0","id":7,', 'nonsense', latin1, `"${'x'.repeat(11 * 1024 * 1024)}"`])
      expect(await send(line)).toMatchObject({
        jsonrpc: '2.0',
        id: null,
        error: { code: -32700, data: { code: 'invalid_request', content: expect.any(String) } },
      })
    expect(await send('[]')).toMatchObject({ id: null, error: { code: -32600 } })
    expect(await ask('tools/list', {})).toMatchObject({ id: 7, result: { tools: expect.any(Array) } })
  })

  test('the server ends by itself, and well, when the pipe is closed', async () => {
    const { ask, ended, close } = start()
    expect(await ask('initialize', hello)).toMatchObject({ id: 7, result: { protocolVersion: '2025-11-25' } })
    close()
    expect(await ended).toEqual([0, null])
  })
})
