import { expect, test } from 'vitest'
import type { ServiceDefinition } from '../../src/protocol/types.generated.ts'
import { businessWith, service } from '../support/definitions.ts'
import { onBothDesks, restDesk } from '../support/desk.ts'
import { testReceiver } from '../support/receiver.ts'
import { createFeedSubscription } from './subscriptions.ts'
import { expectValidEvent, type ToldShop, toldShop } from './told-shop.ts'

const hair = [{ id: 'hair', name: 'Hair', taxonomy: 'merchant' }]
const nails = [{ id: 'nails', name: 'Nails', taxonomy: 'merchant' }]
const cut = service('svc_cut', { categories: hair })
const policies = { ...cut.policies, cancellation: { allowed: false } }

const first = businessWith([cut])
/** Each goes from the definition before to the one with these services. */
const changes: { row: string; what: string; from: ServiceDefinition[]; to: ServiceDefinition[]; events: string[] }[] = [
  { row: '[FEED-061]', what: 'adding one', from: [cut], to: [cut, service('svc_new')], events: ['service.created'] },
  {
    row: '[FEED-062]',
    what: 'another price',
    from: [cut],
    to: [{ ...cut, pricing: { model: 'fixed', amount: 1, currency: 'USD' } }],
    events: ['service.updated'],
  },
  { row: '[FEED-062]', what: 'other policies', from: [cut], to: [{ ...cut, policies }], events: ['service.updated'] },
  {
    row: '[FEED-062]',
    what: 'other resources',
    from: [cut],
    to: [{ ...cut, resources: [{ type: 'staff', options: ['staff_ann'], selectable: true }] }],
    events: ['service.updated'],
  },
  { row: '[FEED-063]', what: 'removing one', from: [cut, service('svc_b')], to: [cut], events: ['service.deleted'] },
  { row: '[FEED-064]', what: 'nothing', from: [cut], to: [structuredClone(cut)], events: [] },
  {
    row: '[FEED-065] [FEED-066]',
    what: 'suspending one',
    from: [cut],
    to: [{ ...cut, status: 'suspended' }],
    events: ['service.suspended'],
  },
  {
    row: '[FEED-065]',
    what: 'taking it up again',
    from: [{ ...cut, status: 'suspended' }],
    to: [cut],
    events: ['service.updated'],
  },
]
const more = { resources: [{ id: 'staff_ann', type: 'staff' as const, name: 'Ann' }] }

await onBothDesks(
  () => toldShop(first),
  (desk, shop) => {
    const apply = (services: ServiceDefinition[]) => shop.apply(businessWith(services, more))
    const told = () => shop.toldAfter(1)
    const unsubscribe = (subscription_id: string) => desk.call('usp_services_feed_unsubscribe', { subscription_id })

    test.each(changes)(
      '$row [FEED-067] [FEED-069] [FEED-070] [FEED-071] [FEED-075] [EVT-052] [EVT-053] $what is told to a callback as $events',
      async ({ from, to, events }) => {
        await apply(from)
        const id = await createFeedSubscription(desk, shop.receiver.url)
        expect(await told()).toEqual([])
        await apply(to)
        const bodies = await told()
        expect(bodies.map(({ event }) => event)).toEqual(events)
        for (const body of bodies) {
          expectValidEvent(body)
          expect(body).toMatchObject({ subscription_id: id, event_id: expect.stringMatching(/^evt_/) })
          const isWhole = body.event === 'service.created' || body.event === 'service.updated'
          const input = { service_id: body.service_id }
          const now = await desk.call('usp_services_get', input, { as: {} })
          expect(body.data).toEqual(isWhole ? now.data.service : undefined)
          if (isWhole) expect(body.data.business_id).toBe('biz_test')
          if (body.event === 'service.suspended') expect(now.data.service.status).toBe('suspended')
        }
        await unsubscribe(id)
      },
    )

    test('[FEED-068] [FEED-072] [FEED-073] [FEED-074] each subscription is told what it wished for, under its own id', async () => {
      const back = [service('svc_nails', { categories: nails }), cut]
      await apply(back)
      const wishes = {
        all: {},
        deletions: { events: ['service.deleted'] },
        hair: { categories: ['hair'] },
        nails: { categories: ['nails', 'feet'] },
      }
      const ids: Record<string, string> = {}
      for (const [name, wish] of Object.entries(wishes))
        ids[name] = await createFeedSubscription(desk, `${shop.receiver.url}&to=${name}`, wish)
      const toldOf = async (services: ServiceDefinition[]) => {
        await apply(services)
        const bodies = await told()
        const nameOf = (id: string) => Object.keys(ids).find((name) => ids[name] === id)
        return bodies
          .map(({ event, service_id, subscription_id }) => `${nameOf(subscription_id)} ${event} ${service_id}`)
          .sort()
      }
      const moved = { ...cut, categories: nails }
      expect(await toldOf([back[0] as ServiceDefinition, moved])).toEqual([
        'all service.updated svc_cut',
        'hair service.updated svc_cut',
        'nails service.updated svc_cut',
      ])
      expect(await toldOf([back[0] as ServiceDefinition, { ...moved, name: 'Another' }])).toEqual([
        'all service.updated svc_cut',
        'nails service.updated svc_cut',
      ])
      expect(await toldOf([cut])).toEqual([
        'all service.deleted svc_nails',
        'all service.updated svc_cut',
        'deletions service.deleted svc_nails',
        'hair service.updated svc_cut',
        'nails service.deleted svc_nails',
        'nails service.updated svc_cut',
      ])
      const events = await shop.runtime.db.selectFrom('events').select(['id', 'type', 'subject']).execute()
      expect(new Set(events.map(({ id }) => id)).size).toBe(events.length)
      for (const id of Object.values(ids)) await unsubscribe(id)
    })

    test('[FEED-058] [FEED-059] [FEED-060] while paused nothing is told, afterwards what was missed, in order; after canceling nothing', async () => {
      await apply([cut])
      const id = await createFeedSubscription(desk, shop.receiver.url)
      const named = (name: string) => apply([{ ...cut, name }])
      const move = (what: string) => desk.call(`usp_services_feed_subscription_${what}`, { subscription_id: id })
      const names = async () => (await told()).map(({ data }) => data.name)
      await named('One')
      expect(await names()).toEqual(['One'])
      await move('pause')
      for (const name of ['Two', 'Three', 'Four']) await named(name)
      expect(await names()).toEqual([])
      await move('resume')
      expect(await names()).toEqual(['Two', 'Three', 'Four'])
      await move('pause')
      await move('resume')
      expect(await names()).toEqual([])

      shop.receiver.answer = 500
      await named('Five')
      expect(await names()).toEqual(['Five'])
      await named('Six')
      await unsubscribe(id)
      shop.receiver.answer = 204
      await named('Seven')
      for (const seconds of [30, 120, 480]) expect(await shop.toldAfter(seconds)).toEqual([])
      const left = await shop.runtime.db.selectFrom('deliveries').selectAll().where('status', '=', 'waiting').execute()
      expect(left).toEqual([])
    })

    test('[FEED-069] [EVT-051] what was not received comes again under its id, unchanged by what happened since', async () => {
      await apply([cut])
      const id = await createFeedSubscription(desk, shop.receiver.url)
      shop.receiver.answer = 503
      await apply([{ ...cut, name: 'Then' }])
      const [before] = await told()
      await apply([{ ...cut, name: 'Now' }])
      shop.receiver.answer = 204
      expect(
        (await shop.toldAfter(30)).map(({ data, ...body }) => [body.event_id === before.event_id, data.name]),
      ).toEqual([
        [true, 'Then'],
        [false, 'Now'],
      ])
      await unsubscribe(id)
    })
  },
)

test('[FEED-075] the address of the profile is told nothing of the catalogue', async () => {
  const shop: ToldShop = await toldShop(first)

  const callback = await testReceiver()
  await createFeedSubscription(restDesk(shop), callback.url)
  await shop.apply(businessWith([cut, service('svc_new')]))
  expect(await shop.toldAfter(1)).toEqual([])
  expect(callback.received.map(({ body }) => body.event)).toEqual(['service.created'])
})
