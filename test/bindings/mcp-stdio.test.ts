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
import { operations } from '../../src/operations.ts'
import { freshDatabase } from '../support/database.ts'
import { businessWith, services } from '../support/definitions.ts'
import { testServer } from '../support/server.ts'

const databaseUrl = await freshDatabase()
const http = await testServer(businessWith(services(3)), { databaseUrl })
const folder = mkdtempSync(join(tmpdir(), 'usp-stdio-'))
const [command, args] = ['node_modules/.bin/node', ['src/main.ts', 'mcp-stdio']]
const env = {
  PATH: String(process.env.PATH),
  DATABASE_URL: databaseUrl,
  USP_DATA_DIR: folder,
  USP_SECRET_KEY: 'k'.repeat(40),
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

describe.each([
  ['the current client', newer],
  ['the previous client', older],
])('%s over stdio', (_, client) => {
  const call = (name: string, input: Record<string, unknown>): Promise<object> =>
    client.callTool({ name, arguments: input })

  test('lists the tools', async () => {
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(operations.map(({ tool }) => tool))
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
      code: -32600,
      data: { code: 'service_not_found', content: expect.stringContaining('svc_none') },
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
    const ask = async (method: string, params: object) => {
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 7, method, params })}\n`)
      return JSON.parse(String((await lines.next()).value))
    }
    const ended = once(child, 'exit')
    onTestFinished(() => void child.kill())
    return { ask, ended, close: () => child.stdin.end() }
  }
  const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: me }

  test('[MCP-026] arguments by position are refused as they are over HTTP', async () => {
    const { ask } = start()
    await ask('initialize', hello)
    const { error } = await ask('tools/call', { name: 'usp_services_get', arguments: ['svc_001'] })
    expect(error).toMatchObject({ code: -32600, data: { code: 'invalid_request', content: expect.any(String) } })
  })

  test('the server ends by itself, and well, when the pipe is closed', async () => {
    const { ask, ended, close } = start()
    expect(await ask('initialize', hello)).toMatchObject({ id: 7, result: { protocolVersion: '2025-11-25' } })
    close()
    expect(await ended).toEqual([0, null])
  })
})
