import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as pass } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { defineOperation } from '../../src/protocol/define-operation.ts'
import { businessWith, service } from '../support/definitions.ts'
import { metricsOf } from '../support/metrics.ts'
import { testServer } from '../support/server.ts'

/** More than is on its way between two that do not read. */
const LONG = 16 * 1024 * 1024
const gate = { isAsked: false, open: () => {} }

const tell = defineOperation<{ input: { text: string }; output: { told: string } }>({
  id: 'getService',
  rest: 'POST /told',
  tool: 'usp_services_get',
  title: 'Tell',
  description: 'Tells.',
  capability: 'dev.usp-protocol.services.catalog',
  access: 'public',
  effect: 'read',
  summary: () => 'Told.',
  input: { type: 'object', required: ['text'], properties: { text: { type: 'string' } } },
  output: { type: 'object', required: ['told'], properties: { told: { type: 'string' } } },
  async handle({ input: { text } }) {
    gate.isAsked = true
    if (text === 'late') await new Promise<void>((resolve) => Object.assign(gate, { open: resolve }))
    return { told: text === 'long' ? 'x'.repeat(LONG) : text }
  },
})
const server = await testServer(businessWith([service('svc_a')]), { operations: [tell] })
const { port } = new URL(await (await server.whole()).listen({ port: 0, host: '127.0.0.1' }))

function ask(text: string) {
  Object.assign(gate, { isAsked: false })
  server.logged.length = 0
  const socket = connect(Number(port), '127.0.0.1')
  const body = JSON.stringify({ text })
  const head = `POST /usp/v1/told HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}`
  socket.write(`${head}\r\n\r\n${text === 'half' ? '{' : body}`)
  return socket
}
const lines = () => server.logged.map((line) => JSON.parse(line)).filter((line) => line.operation === 'getService')
const aborted = async () => (await metricsOf(server)).get('usp_aborted_requests_total{operation="getService"}') ?? 0
const answered = async () =>
  (await metricsOf(server)).get('usp_request_seconds_count{operation="getService",status="200"}') ?? 0

test.each([
  ['before all of it was sent', 'half', () => pass(50), {}],
  ['while it is worked on', 'late', () => expect.poll(() => gate.isAsked).toBe(true), {}],
  [
    'while the answer is on its way',
    'long',
    (socket: ReturnType<typeof ask>) => once(socket, 'readable'),
    { status: 200 },
  ],
] as const)('[who hangs up is told of] %s, once, and not among the answers', async (_, text, isAtIt, more) => {
  const before = [await aborted(), await answered()]
  const socket = ask(text)
  await isAtIt(socket)
  expect(lines()).toEqual([])
  socket.destroy()
  await expect.poll(lines).toHaveLength(1)
  gate.open()
  await pass(100)
  expect(lines()).toEqual([expect.objectContaining({ method: 'POST', aborted: true, ms: expect.any(Number), ...more })])
  expect('status' in lines()[0]).toBe('status' in more)
  expect([await aborted(), await answered()]).toEqual([(before[0] ?? 0) + 1, before[1]])
})

test('[who hangs up is told of] who reads to the end did not', async () => {
  const before = [await aborted(), await answered()]
  const socket = ask('short')
  await once(socket, 'readable')
  await expect.poll(lines).toHaveLength(1)
  socket.destroy()
  await pass(100)
  expect(lines()).toMatchObject([{ status: 200 }])
  expect(lines()[0]).not.toHaveProperty('aborted')
  expect([await aborted(), await answered()]).toEqual([before[0], (before[1] ?? 0) + 1])
})
