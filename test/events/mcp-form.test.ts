import { Server as OlderServer } from '@modelcontextprotocol/sdk/server/index.js'
import { WebStandardStreamableHTTPServerTransport as OlderTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { Server, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import { expect, test } from 'vitest'
import { businessWith, service } from '../support/definitions.ts'
import { restDesk } from '../support/desk.ts'
import { platformProfile, testPlatform } from '../support/platform.ts'
import type { Received } from '../support/receiver.ts'
import { expectValidEvent, toldShop } from './told-shop.ts'

const NAME = 'dev.usp-protocol.services'
const transports = (...names: string[]) => names.map((transport) => ({ transport }))
const { usp } = platformProfile()
const ucp = { version: '2026-04-08', capabilities: usp.capabilities }

const standalone = await toldShop(businessWith([service('svc_a')]))
const free = service('svc_a')
const native = await toldShop(businessWith([free], { deployment_mode: 'ucp_native' }))

/** The status by which a server of the SDK answers what was received, in both generations of the SDK as they come. */
async function stockAnswers({ headers, raw }: Received) {
  const sent = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)])
  const request = () => new Request('https://127.0.0.1/mcp', { method: 'POST', headers: sent, body: raw.toString() })
  const [info, options] = [{ name: 'stock', version: '1' }, { capabilities: {} }]
  const [older, newer] = [new OlderTransport(), new WebStandardStreamableHTTPServerTransport()]
  await Promise.all([new OlderServer(info, options).connect(older), new Server(info, options).connect(newer)])
  const answers = [await older.handleRequest(request()), await newer.handleRequest(request())]
  await Promise.all([older.close(), newer.close()])
  return answers.map(({ status }) => status)
}

test.each([
  ['mcp alone', standalone, { usp: { ...usp, services: { [NAME]: transports('mcp') } } }, true],
  ['mcp before rest', standalone, { usp: { ...usp, services: { [NAME]: transports('mcp', 'rest') } } }, true],
  ['rest before mcp', standalone, { usp: { ...usp, services: { [NAME]: transports('rest', 'mcp') } } }, false],
  ['no transport', standalone, { usp }, false],
  ['an empty list', standalone, { usp: { ...usp, services: { [NAME]: [] } } }, false],
  [
    'mcp for something else',
    standalone,
    { usp: { ...usp, services: { 'com.example.other': transports('mcp'), [NAME]: transports('rest') } } },
    false,
  ],
  ['mcp as a platform of UCP', native, { ucp: { ...ucp, services: { [NAME]: transports('mcp') } } }, true],
  ['nothing as a platform of UCP', native, { ucp }, false],
  ['mcp as a platform of USP where UCP is', native, { usp: { ...usp, services: { [NAME]: transports('mcp') } } }, true],
])('[EVT-050] a platform that would rather have %s', async (_, shop, profile, isNotification) => {
  const desk = restDesk(shop)
  const published = await testPlatform()
  published.profile = { ...profile, webhook_url: shop.receiver.url }
  const as = await shop.newPlatform(published.url)
  const [slot] = await desk.slots('svc_a')
  const { id } = (await desk.book(slot, {}, { as })).data.booking
  await desk.cancel(id, {}, { as })
  const [body] = await shop.told()
  const event = isNotification ? body.params : body
  const [received] = shop.receiver.received
  if (!received) throw new Error('Nothing was received')
  if (isNotification) {
    expect(body).toEqual({ jsonrpc: '2.0', method: 'usp_webhook', params: event })
    expect(await stockAnswers(received)).toEqual([202, 202])
    // The servers of both SDKs also accept a message without a version. Other servers refuse it.
    expect(received.headers).toMatchObject({ 'mcp-protocol-version': expect.stringMatching(/^\d{4}-\d\d-\d\d$/) })
  } else expect(received.headers).not.toHaveProperty('mcp-protocol-version')
  expectValidEvent(event)
  expect(event).toMatchObject({ event: 'booking.canceled', booking_id: id })
})
