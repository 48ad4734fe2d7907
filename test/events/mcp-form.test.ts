import { expect, test } from 'vitest'
import { businessWith, service } from '../support/definitions.ts'
import { restDesk } from '../support/desk.ts'
import { platformProfile, testPlatform } from '../support/platform.ts'
import { expectValidEvent, toldShop } from './told-shop.ts'

const NAME = 'dev.usp-protocol.services'
const transports = (...names: string[]) => names.map((transport) => ({ transport }))
const { usp } = platformProfile()
const ucp = { version: '2026-04-08', capabilities: usp.capabilities }

const standalone = await toldShop(businessWith([service('svc_a')]))
const free = service('svc_a')
const native = await toldShop(businessWith([free], { deployment_mode: 'ucp_native' }))

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
  if (isNotification) expect(body).toEqual({ jsonrpc: '2.0', method: 'usp_webhook', params: event })
  expectValidEvent(event)
  expect(event).toMatchObject({ event: 'booking.canceled', booking_id: id })
})
