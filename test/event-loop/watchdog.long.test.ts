import { setTimeout as pass } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runOperation } from '../../src/infra/telemetry/event-loop/current-operation.ts'
import { freshDatabase } from '../support/database.ts'
import { freePort, type Running, usp, waitForOutput } from '../support/process.ts'

const stall = fileURLToPath(new URL('./stall.ts', import.meta.url))
let running: Running
let url = ''

beforeAll(async () => {
  const port = await freePort()
  url = `http://127.0.0.1:${port}`
  running = usp(['serve'], {
    PORT: String(port),
    DATABASE_URL: await freshDatabase({ migrated: false }),
    NODE_OPTIONS: `--import=${stall}`,
  })
  await waitForOutput(running, 'Ctrl-C stops it.')
})

afterAll(async () => {
  running.process.kill('SIGINT')
  expect(await running.ended).toBe(0)
})

/** What was logged since, of the event loop alone. */
function linesSince(length: number) {
  const lines = running.output().slice(length).split('\n')
  return lines.flatMap((line) => (line.includes('event loop') ? [JSON.parse(line)] : []))
}

test('[a slow start is no stall] nothing is told of the event loop while nobody is served yet', async () => {
  await pass(1_000)
  expect(linesSince(0)).toEqual([])
})

const json = { 'content-type': 'application/json' }
const tool = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'usp_services_get', arguments: {} } }

test.each([
  ['REST', 'getService', '/usp/v1/services/svc_secret', {}],
  ['MCP', 'usp_services_get', '/usp/mcp', { method: 'POST', headers: json, body: JSON.stringify(tool) }],
])('[a stall is named] while %s keeps the loop, the log says %s and where', async (_, operation, path, options) => {
  const length = running.output().length
  const headers = { ...Object(options).headers, 'x-stall': '3500' }
  await fetch(url + path, { ...options, headers })
  // While it lasts, and when it is over.
  await expect.poll(() => linesSince(length).length).toBe(2)
  const lines = linesSince(length)
  for (const line of lines)
    expect(line).toEqual({
      level: 50,
      time: expect.any(Number),
      operation,
      at: expect.any(Array),
      ms: expect.any(Number),
      msg: expect.any(String),
    })
  expect(lines[0].at[0]).toMatch(/^keepBusy \(.*stall\.ts:\d+\)$/)
  expect(lines.map(({ ms }) => ms >= 2_000)).toEqual([true, true])
  expect(JSON.stringify(lines)).not.toContain('svc_secret')
})

test('[a stall is named] a process that was stopped did not stall', async () => {
  const length = running.output().length
  running.process.kill('SIGSTOP')
  await pass(4_000)
  running.process.kill('SIGCONT')
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  await pass(1_000)
  expect(linesSince(length)).toEqual([])
})

test('[a stall is named] to name what runs costs a call next to nothing', () => {
  const calls = 100_000
  const timed = (run: () => void) => {
    const started = process.cpuUsage()
    for (let count = 0; count < calls; count++) run()
    return process.cpuUsage(started).user
  }
  let done = 0
  const work = () => void done++
  timed(() => runOperation({ operation: 'warm' }, work))
  const microseconds = timed(() => runOperation({ operation: 'named' }, work)) / calls
  expect(done).toBe(2 * calls)
  expect(microseconds).toBeLessThan(5)
})
