import { setTimeout as sleep } from 'node:timers/promises'
import type { Members } from '../../caller/answer.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual, expectInstant, expectMembers, expectTrue } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { check } from '../check.ts'
import { type Delivery, deliveries, eventWith, expectSigned, SETTLE_MS } from './received-events.ts'
import { needs, type Subscription, statusAfter, subscribe } from './subscription-steps.ts'

const options = { needs, newPlatform: true, isAlone: true, once: true } as const

export const catalogueEventChecks = [
  check(
    'EVT-052 FEED-065 FEED-066 FEED-067 FEED-068 FEED-075 FEED-076',
    'Each subscription gets a signed event about a suspended service at its callback address',
    async (c) => {
      const { hosted } = c.platform
      const addresses = ['first', 'second'].map((name) => `${hosted.address}/${name}`)
      const subscriptions = [
        await subscribe(c, { callback_url: addresses[0] }),
        await subscribe(c, { callback_url: addresses[1] }),
      ]
      const { id, suspend } = changeableService(c)
      await suspend()
      for (const [nth, subscription] of subscriptions.entries()) {
        const received = await eventFor(c, subscription, 'service.suspended')
        c.schemas.expectValid('webhook_event#CatalogEvent', received.event, 'the event')
        expectEqual(received.event.service_id, id, 'service_id')
        expectInstant(received.event.timestamp, 'timestamp')
        expectTrue(addresses[nth]?.endsWith(received.path) ?? false, 'the event at the callback_url', received.path)
        expectSigned(c, received)
        const { data } = received.event
        if (data !== undefined) expectEqual(expectMembers(data, 'data').status, 'suspended', 'data.status')
      }
      const { service } = (await c.anonymous.call('getService', { service_id: id })).success()
      expectEqual(expectMembers(service, 'service').status, 'suspended', 'the status of the service')
      const atWebhook = deliveries(hosted).filter(({ path }) => hosted.webhookUrl.endsWith(path))
      expectEqual(atWebhook.length, 0, 'the number of events at the webhook_url')
    },
    options,
  ),
  check(
    'EVT-053 FEED-065 FEED-069 FEED-070',
    'A service that becomes active again causes a separate event with the whole service',
    async (c) => {
      const subscription = await subscribe(c)
      const { id, suspend, activate } = changeableService(c)
      await suspend()
      const first = await eventFor(c, subscription, 'service.suspended')
      await activate()
      const { event } = await eventFor(c, subscription, 'service.updated')
      expectTrue(event.event_id !== first.event.event_id, 'a different event_id for another change', event.event_id)
      const data = expectMembers(event.data, 'data')
      c.schemas.expectValid('catalog#Service', data, 'data')
      expectEqual(data.id, id, 'data.id')
      expectEqual(data.status ?? 'active', 'active', 'data.status')
    },
    options,
  ),
  check(
    'FEED-058 FEED-059',
    'After a pause, a subscription gets the changes of the pause in order',
    async (c) => {
      const subscription = await subscribe(c)
      const { suspend, activate } = changeableService(c)
      await suspend()
      await eventFor(c, subscription, 'service.suspended')
      expectEqual(await statusAfter(c, 'pauseSubscription', subscription), 'paused', 'the status')
      await activate()
      await suspend()
      await sleep(SETTLE_MS)
      expectEqual(namesOf(c, subscription), ['service.suspended'], 'the events before the resume')
      expectEqual(await statusAfter(c, 'resumeSubscription', subscription), 'active', 'the status')
      await eventFor(c, subscription, 'service.updated')
      await sleep(SETTLE_MS)
      const expected = ['service.suspended', 'service.updated', 'service.suspended']
      expectEqual(namesOf(c, subscription), expected, 'the events after the resume')
    },
    options,
  ),
  check(
    'FEED-060 FEED-072 FEED-073',
    'A subscription gets no events that it did not ask for, and none after its end',
    async (c) => {
      const { suspend, activate, category } = changeableService(c)
      const all = await subscribe(c)
      const suited = await subscribe(c, { categories: [category] })
      const otherCategory = await subscribe(c, { categories: [`not-${category}`] })
      const onlyDeleted = await subscribe(c, { events: ['service.deleted'] })
      const ended = await subscribe(c)
      await c.caller.call('unsubscribe', { subscription_id: ended.id })
      await suspend()
      await eventFor(c, all, 'service.suspended')
      await eventFor(c, suited, 'service.suspended')
      await activate()
      await eventFor(c, all, 'service.updated')
      await sleep(SETTLE_MS)
      for (const unwanted of [otherCategory, onlyDeleted, ended])
        expectEqual(namesOf(c, unwanted), [], 'the unwanted events of a subscription')
    },
    options,
  ),
  check(
    'FEED-061 FEED-063 FEED-072',
    'A removed service and a new service each cause an event',
    async (c) => {
      const { staff } = c
      if (!staff.removeService) throw new Skip('The staff adapter does not support the action removeService.')
      const { id } = changeableService(c)
      const all = await subscribe(c)
      const onlyDeleted = await subscribe(c, { events: ['service.deleted'] })
      const addAgain = await staff.removeService(id)
      try {
        for (const subscription of [all, onlyDeleted])
          expectEqual((await eventFor(c, subscription, 'service.deleted')).event.service_id, id, 'service_id')
      } finally {
        await addAgain()
      }
      await eventFor(c, all, 'service.created')
      await sleep(SETTLE_MS)
      expectEqual(namesOf(c, onlyDeleted), ['service.deleted'], 'the events of the subscription to deletions')
    },
    options,
  ),
]

/** Returns a service that the check can suspend and activate. After the check, the service is active. */
function changeableService(c: CheckContext) {
  const { setServiceStatus } = c.staff
  if (!setServiceStatus) throw new Skip('The staff adapter does not support the action setServiceStatus.')
  const service = c.service('active service with a category', ({ status = 'active', categories }) => {
    const [first] = (categories ?? []) as Members[]
    return status === 'active' && typeof first?.id === 'string'
  })
  const [first] = service.categories as Members[]
  const id = String(service.id)
  const activate = () => setServiceStatus(id, 'active')
  const suspend = () => {
    c.afterwards(activate)
    return setServiceStatus(id, 'suspended')
  }
  return { id, category: String(first?.id), suspend, activate }
}

const eventFor = ({ platform }: CheckContext, { id }: Subscription, event: string): Promise<Delivery> =>
  eventWith(platform.hosted, { event, subscription_id: id })

const namesOf = ({ platform }: CheckContext, { id }: Subscription): unknown[] =>
  deliveries(platform.hosted, { subscription_id: id }).map(({ event }) => event.event)
