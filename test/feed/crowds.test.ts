import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { sendDueEvents } from '../../src/core/events/delivery-worker.ts'
import { businessWith, service } from '../support/definitions.ts'
import { newcomer, onBothDesks, restDesk, testShop, type Who } from '../support/desk.ts'
import { testNameserver } from '../support/nameserver.ts'
import { testPlatform } from '../support/platform.ts'
import { testReceiver } from '../support/receiver.ts'

const MOST = 3
const definition = businessWith([service('svc_a'), service('svc_b')], { limits: { callbacks: MOST } })
const nameserver = await testNameserver()
let addresses = 0
const unused = () => `https://127.0.0.${10 + addresses++}:9443/hook`

await onBothDesks(
  () => testShop(definition, { env: { USP_NAMESERVERS: nameserver.address } }),
  (desk, shop) => {
    const call = (tool: string, input: Record<string, unknown>, as?: Who) =>
      desk.call(`usp_services_feed_${tool}`, input, as ? { as } : {})
    const subscribe = (callback_url: string, more = {}, as?: Who) => call('subscribe', { callback_url, ...more }, as)

    test('[one subscription for an address] whoever subscribes it again has the same, told of what is wished now', async () => {
      const callback = unused()
      const first = await subscribe(callback, { events: ['service.deleted'] })
      await call('subscription_pause', { subscription_id: first.data.subscription.id })
      const again = await subscribe(callback, { categories: ['hair'] })
      expect(again).toMatchObject({ status: first.status, code: undefined })
      const { events, ...kept } = first.data.subscription
      expect(events).toEqual(['service.deleted'])
      expect(again.data.subscription).toEqual({ ...kept, categories: ['hair'], status: 'active' })
      expect((await subscribe(callback, {}, await shop.newPlatform())).data.subscription.id).not.toBe(kept.id)
      await call('unsubscribe', { subscription_id: kept.id })
      const anew = await subscribe(callback)
      expect([anew.code, anew.data.subscription.id === kept.id]).toEqual([undefined, false])
    })

    test('[one subscription for an address] of many at once one is made', async () => {
      const callback = unused()
      const all = await Promise.all(Array.from({ length: 6 }, () => subscribe(callback)))
      expect(new Set(all.map(({ data }) => data.subscription.id)).size).toBe(1)
    })

    test('[few subscriptions to a host] somebody else’s host gets so many, however often it is asked at once', async () => {
      const host = unused()
      const all = await Promise.all(Array.from({ length: MOST + 3 }, (_, index) => subscribe(`${host}/${index}`)))
      const refused = all.filter(({ code }) => code !== undefined)
      expect(refused).toHaveLength(3)
      expect(refused[0]).toMatchObject({ code: 'rate_limited', ...(desk.binding === 'REST' && { status: 429 }) })
      expect(JSON.stringify(refused[0]?.data)).toContain('the domain of your platform profile')
      const [made] = all.flatMap(({ data }) => data.subscription ?? [])
      await call('unsubscribe', { subscription_id: made.id })
      expect((await subscribe(`${host}/again`)).code).toBeUndefined()
    })

    test('[names below a domain cost nothing] hosts of one domain are one, whoever has a name there', async () => {
      const hosts = ['a', 'b.a', 'c', 'd'].map((name) => `${name}.${desk.binding.toLowerCase()}.example`)
      for (const host of hosts) nameserver.names.set(host, ['93.184.215.14'])
      const codes = []
      for (const host of hosts) codes.push((await subscribe(`https://${host}/hook`)).code)
      expect(codes).toEqual([undefined, undefined, undefined, 'rate_limited'])
    })

    test('[few subscriptions to a host] its own platform has as many as it likes, but for strangers who name it', async () => {
      const { url } = await testPlatform()
      const own = await shop.newPlatform(url)
      const at = (index: number) => `${new URL('/hook', url)}/${desk.binding}/${index}`
      for (const index of [1, 2, 3, 4, 5]) expect((await subscribe(at(index), {}, own)).code).toBeUndefined()
      const codes = []
      for (const index of [1, 2, 3, 4]) codes.push((await subscribe(at(index), {}, newcomer(url, '203.0.113.1'))).code)
      expect(codes).toEqual([undefined, undefined, undefined, 'rate_limited'])
      expect((await subscribe(at(6), {}, own)).code).toBeUndefined()
    })

    test('[few subscriptions to a host] its own platform has far more, though not without end', async () => {
      const { url } = await testPlatform()
      const own = await shop.newPlatform(url)
      const at = (index: number) => `${new URL('/hook', url)}/${desk.binding}/${index}`
      const [made] = [(await subscribe(at(0), {}, own)).data.subscription]
      await sql`insert into feed_subscriptions (id, principal, profile, callback_url, status, position_modified_at, position_id, created_at, crowd)
        select id || number, principal, profile, callback_url || number, status, position_modified_at, position_id, created_at, crowd
        from feed_subscriptions made, generate_series(1, 199 - (
          select count(*)::integer from feed_subscriptions same where same.crowd = (select crowd from feed_subscriptions where id = ${made.id})
            and status <> 'canceled')) number
        where id = ${made.id}`.execute(shop.runtime.db)
      expect((await subscribe(at(200), {}, own)).code).toBeUndefined()
      expect(await subscribe(at(201), {}, own)).toMatchObject({ code: 'rate_limited' })
      await call('unsubscribe', { subscription_id: made.id }, own)
      expect((await subscribe(at(201), {}, own)).code).toBeUndefined()
    })
  },
)

describe('what a host is sent', async () => {
  const shop = await testShop(businessWith([service('svc_a')]))
  const receiver = await testReceiver('/hook')
  const desk = restDesk(shop)
  const rename = (name: string) => shop.apply(businessWith([service('svc_a', { name })]))

  test('[paced by host] one change is not told to all who listen at a host at once', async () => {
    for (let index = 0; index < 70; index++)
      await desk.call('usp_services_feed_subscribe', { callback_url: `${receiver.url}/${index}` })
    await rename('Another name')
    const arrived = []
    for (let second = 0; second < 4; second++) {
      shop.minutesLater(1 / 60)
      receiver.received.length = 0
      await sendDueEvents(shop.runtime)
      arrived.push(receiver.received.length)
    }
    expect(arrived).toEqual([32, 32, 6, 0])
  })

  test('[410 ends it] a callback that is gone is not called again, and its subscription is canceled', async () => {
    const gone = await testReceiver('/gone')
    const { subscription } = (await desk.call('usp_services_feed_subscribe', { callback_url: gone.url })).data
    gone.answer = 410
    await rename('First')
    shop.minutesLater(1)
    await sendDueEvents(shop.runtime)
    expect(gone.received).toHaveLength(1)
    const read = await desk.call('usp_services_feed_subscription_get', { subscription_id: subscription.id })
    expect(read.data.subscription.status).toBe('canceled')
    gone.answer = 204
    await rename('Second')
    shop.minutesLater(60)
    await sendDueEvents(shop.runtime)
    expect(gone.received).toHaveLength(1)
  })
})
