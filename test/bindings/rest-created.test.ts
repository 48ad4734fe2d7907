import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { listing, listingShop } from '../registry/listing-shop.ts'
import { businessWith, service } from '../support/definitions.ts'
import { buyer, restDesk } from '../support/desk.ts'

const shop = await listingShop()
await shop.apply(
  businessWith(
    [
      service('svc_a'),
      service('svc_class', {
        type: 'group',
        capacity: { max: 1, waitlist: true },
        sessions: [{ days: ['tuesday', 'wednesday'], starts: '10:00' }],
      }),
    ],
    { registry: { enabled: true } },
  ),
)
const desk = restDesk(shop)
const slot = async (serviceId: string) => (await desk.slots(serviceId))[0]
const wish = async (serviceId: string) => ({ service_id: serviceId, slot_id: (await slot(serviceId)).id })

test.each<[path: string, tool: string, input: () => Promise<Record<string, unknown>>, made: string]>([
  ['/availability/holds', 'usp_availability_hold', () => wish('svc_a'), 'hold'],
  ['/bookings', 'usp_bookings_create', async () => ({ ...(await wish('svc_a')), buyer }), 'booking'],
  [
    '/waitlist',
    'usp_waitlist_join',
    async () => {
      await desk.book(await slot('svc_class'))
      return { ...(await wish('svc_class')), buyer }
    },
    'entry',
  ],
  ['/registry/businesses', 'usp_registry_register', async () => ({ ...listing(shop.address()) }), 'registration'],
  [
    '/services/feed/subscriptions',
    'usp_services_feed_subscribe',
    async () => ({ callback_url: 'https://127.0.0.1:9443/hook' }),
    'subscription',
  ],
])('[REST-003] a successful POST to %s answers 201, also when it is repeated', async (_, tool, input, made) => {
  const sent = await input()
  const ask = { idempotencyKey: randomUUID() }
  const once = await desk.call(tool, sent, ask)
  expect([once.status, Object.keys(once.data)]).toEqual([201, expect.arrayContaining(['usp', made])])
  const again = await desk.call(tool, sent, ask)
  expect([again.status, again.data]).toEqual([201, once.data])
  expect(again.headers['idempotency-replayed']).toBe('true')
})
