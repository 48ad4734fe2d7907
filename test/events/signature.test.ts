import { parseDictionary } from 'structured-headers'
import { expect, test } from 'vitest'
import { businessWith, service } from '../support/definitions.ts'
import { restDesk } from '../support/desk.ts'
import type { Received } from '../support/receiver.ts'
import { ALL_WELL, verified } from '../support/verify-signature.ts'
import { createFeedSubscription } from './subscriptions.ts'
import { expectValidEvent, toldShop } from './told-shop.ts'

const group = service('svc_class', {
  type: 'group',
  capacity: { max: 1, waitlist: true },
  sessions: [{ days: ['tuesday'], starts: '10:00' }],
})
const definition = businessWith([service('svc_a'), group])
const shop = await toldShop(definition)
const desk = restDesk(shop)
const { receiver } = shop
const keys = async () => (await shop.rest('GET', '/.well-known/usp')).body.keys
const hostOf = () => new URL(receiver.url).host

const kindOf = ({ body }: Received) => body.event.split('.')[0] as string

/** One event of each family. */
const families: Record<string, () => Promise<unknown>> = {
  'a booking': async () => desk.cancel((await desk.book((await desk.slots('svc_a'))[0])).data.booking.id),
  'a service': async () => {
    await createFeedSubscription(desk, receiver.url)
    await shop.apply(businessWith([service('svc_a', { name: 'Another name' }), group]))
  },
  'a waitlist entry': async () => {
    const { booking } = (await desk.book((await desk.slots('svc_class'))[0])).data
    const buyer = { first_name: 'Bob', last_name: 'Smith', email: 'bob@example.com' }
    await desk.call('usp_waitlist_join', { service_id: 'svc_class', buyer })
    await desk.cancel(booking.id)
  },
}

test.each(Object.keys(families))(
  '[EVT-033] [EVT-034] [EVT-036] [EVT-051] [SIG-046] [SIG-047] [SIG-048] [SIG-049] [SIG-050] [SIG-051] [SIG-052] [FEED-076] the event of %s is signed so that two other libraries verify it by the served profile',
  async (family) => {
    await shop.told()
    await families[family]?.()
    // What changes the catalogue is never told to be as old as the change before.
    await shop.toldAfter(1)
    const request = receiver.received.find((one) => family.includes(kindOf(one))) as Received
    expectValidEvent(request.body)
    expect(request.headers['content-type']).toBe('application/json')
    expect(await verified(request, hostOf(), await keys())).toEqual(ALL_WELL)

    const [components, parameters] = parseDictionary(String(request.headers['signature-input'])).get('sig1') ?? []
    const covered = Object(components).map(([name]: [string]) => name)
    expect(covered).toEqual(['@method', '@authority', '@path', '@query', 'content-digest', 'content-type'])
    expect(Object(parameters).get('created')).toBe(Math.floor(shop.time.now.getTime() / 1000))
    expect(Object(parameters).get('alg')).toBe('ecdsa-p256-sha256')
    const [signature] = parseDictionary(String(request.headers.signature)).get('sig1') ?? []
    expect(Object(signature).byteLength).toBe(64)
  },
)

test.each<[string, (request: Received) => Received, string]>([
  ['another body', (request) => ({ ...request, raw: Buffer.from(`${request.raw} `) }), 'digest'],
  ['another digest', (one) => ({ ...one, headers: { ...one.headers, 'content-digest': 'sha-256=:AAAA:' } }), 'both'],
  ['another method', (request) => ({ ...request, method: 'PUT' }), 'both'],
  ['another path', (request) => ({ ...request, path: '/elsewhere?from=usp' }), 'both'],
  ['another type', (one) => ({ ...one, headers: { ...one.headers, 'content-type': 'text/plain' } }), 'both'],
])('[SIG-048] [SIG-051] [EVT-034] with %s it verifies no more', async (_, forge, what) => {
  await shop.told()
  await families['a booking']?.()
  await shop.told()
  const [request] = receiver.received as [Received]
  expect(await verified(request, hostOf(), await keys())).toEqual(ALL_WELL)
  const forged = await verified(forge(request), hostOf(), await keys())
  if (what === 'digest') expect(forged.digest).toBe(false)
  else expect(forged).toMatchObject({ httpMessageSignatures: false, httpMessageSig: false })
  expect(await verified(request, 'elsewhere.example', await keys())).toMatchObject({
    httpMessageSignatures: false,
    httpMessageSig: false,
  })
})
