import { createServer } from 'node:https'
import { expect, test } from 'vitest'
import { loopbackCertificate } from '../../src/core/egress/development/loopback-certificate.ts'
import { businessWith, service } from '../support/definitions.ts'
import { restDesk } from '../support/desk.ts'
import { testPlatform } from '../support/platform.ts'
import { testReceiver } from '../support/receiver.ts'
import { soon, toldShop } from './told-shop.ts'

const shop = await toldShop(businessWith([service('svc_a')]))
const desk = restDesk(shop)

/** Books and cancels as a platform with this profile, and says what became of the event. */
async function deliveryTo(profile: Record<string, unknown>) {
  const platform = await shop.newPlatform((await testPlatform(profile)).url)
  const [slot] = await desk.slots('svc_a', soon(shop))
  const { id } = (await desk.book(slot, {}, { as: platform })).data.booking
  expect((await desk.cancel(id, {}, { as: platform })).data.booking.status).toBe('canceled')
  const filter = { subject: `booking ${id}` }
  const listed = async () =>
    (await desk.call('usp_business_deliveries_list', filter, { as: shop.staff })).data.deliveries[0]
  await shop.told()
  const { attempts } = (
    await desk.call('usp_business_deliveries_get', { delivery_id: (await listed()).id }, { as: shop.staff })
  ).data
  return { delivery: await listed(), attempts, later: () => shop.toldAfter(3_600).then(listed) }
}

test('[EVT-002] a platform without webhook_url is told nothing, and books all the same', async () => {
  const { delivery, later } = await deliveryTo({})
  expect(delivery).toMatchObject({ status: 'unwanted', attempts: 1 })
  expect(await later()).toMatchObject({ status: 'unwanted', attempts: 1 })
})

test.each([
  ['http://hooks.example/usp', 'must be an https URL'],
  ['http://127.0.0.1:9/hook', 'must be an https URL'],
  ['ftp://hooks.example/usp', 'must be an https URL'],
  ['https://user:pass@hooks.example/', 'may not contain a user name or password'],
  ['https://10.0.0.1/hook', 'not on the public internet'],
  ['https://192.168.1.1/hook', 'not on the public internet'],
  ['https://169.254.169.254/latest/meta-data', 'not on the public internet'],
  ['https://[::ffff:10.0.0.1]/hook', 'not on the public internet'],
  ['https://[fe80::1]/hook', 'not on the public internet'],
  ['https://0.0.0.0/hook', 'not on the public internet'],
])('[PRO-069] [EVT-003] [EVT-004] nothing is sent to %s, which is said once', async (webhook_url, problem) => {
  const { delivery, attempts, later } = await deliveryTo({ webhook_url })
  expect(delivery).toMatchObject({ status: 'given_up', attempts: 1 })
  expect(attempts).toEqual([
    { at: expect.any(String), milliseconds: expect.any(Number), problem: expect.stringContaining(problem) },
  ])
  expect(await later()).toMatchObject({ status: 'given_up', attempts: 1 })
})

test('[EVT-004] a redirect is not followed', async () => {
  const elsewhere = await testReceiver()
  const server = createServer(loopbackCertificate(), (_, response) =>
    response.writeHead(307, { location: elsewhere.url }).end(),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  const { delivery, attempts } = await deliveryTo({ webhook_url: `https://127.0.0.1:${port}/` })
  expect(delivery.status).toBe('waiting')
  expect(attempts).toMatchObject([{ status: 307, problem: 'answered 307' }])
  expect(elsewhere.received).toEqual([])
  server.closeAllConnections()
  server.close()
})

test('[EVT-001] who moves its webhook_url is told at the new one', async () => {
  const [old, next] = [await testReceiver(), await testReceiver()]
  const published = await testPlatform({ webhook_url: old.url })
  const platform = await shop.newPlatform(published.url)
  const [slot] = await desk.slots('svc_a', soon(shop))
  const { id } = (await desk.book(slot, {}, { as: platform })).data.booking
  published.profile = { ...published.profile, webhook_url: next.url }
  // The profile may be kept for a minute, and serves another while it is fetched anew.
  await shop.toldAfter(180)
  await desk.cancel(id, {}, { as: platform })
  await shop.told()
  expect([old.received.length, next.received.map(({ body }) => body.booking_id)]).toEqual([0, [id]])
})

test('[EVT-002] a platform that has withdrawn its webhook_url gets no event once its profile is past its time', async () => {
  const receiver = await testReceiver()
  const published = await testPlatform({ webhook_url: receiver.url })
  const platform = await shop.newPlatform(published.url)
  const [slot, , other] = await desk.slots('svc_a', soon(shop))
  const told = (await desk.book(slot, {}, { as: platform })).data.booking
  const untold = (await desk.book(other, {}, { as: platform })).data.booking
  await desk.cancel(told.id, {}, { as: platform })
  await shop.told()
  expect(receiver.received).toHaveLength(1)
  delete published.profile.webhook_url
  await desk.cancel(untold.id, {}, { as: platform })
  await shop.toldAfter(published.maxAge + 1)
  expect(receiver.received).toHaveLength(1)
})
