import { describe, expect, test } from 'vitest'
import { createClient, generateKey, publishedKey, UspError } from '../../packages/client/index.ts'
import { operations as known } from '../../packages/client/operations.generated.ts'
import { operations as served } from '../../src/server/all-operations.ts'
import { businessWith, service } from '../support/definitions.ts'
import { uspProfile } from '../support/listed-business.ts'
import { testPlatform } from '../support/platform.ts'
import { callback, openBusiness } from './business.ts'

const catalogue = [service('svc_a', { name: "O'Hara's café" }), service('svc_b')]
const business = await openBusiness(businessWith(catalogue, { registry: { enabled: true } }))
const listed = await testPlatform(uspProfile())

const buyer = { first_name: 'Alice', last_name: 'Example', email: 'alice@example.com' }
const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10)

const keys = { EdDSA: await generateKey('EdDSA'), ES256: await generateKey('ES256') }
const platform = await testPlatform({ keys: await Promise.all(Object.values(keys).map(publishedKey)) })
const incapable = await testPlatform({ usp: { version: '2026-08-20', capabilities: {} } })

const forms = (['rest', 'mcp'] as const).flatMap((binding) =>
  (['proof', 'signature'] as const).flatMap((authentication) =>
    (['EdDSA', 'ES256'] as const).map((algorithm) => ({ binding, authentication, algorithm })),
  ),
)

describe.each(forms)('over $binding with a $authentication by $algorithm', ({ binding, authentication, algorithm }) => {
  const client = createClient({
    baseUrl: business.url,
    platformProfile: platform.url,
    key: keys[algorithm],
    authentication,
    binding,
  })

  test('the four operations of the catalogue answer', async () => {
    const { listServices, getService, lookupServices, getServiceFeed } = client
    expect((await listServices()).services?.map(({ id }) => id).sort()).toEqual(['svc_a', 'svc_b'])
    expect((await listServices({ query: "O'Hara" })).services?.map(({ id }) => id)).toEqual(['svc_a'])
    expect((await getService({ service_id: 'svc_a' })).service?.name).toBe("O'Hara's café")
    expect((await lookupServices({ ids: ['svc_b'] })).services).toHaveLength(1)
    const first = await getServiceFeed({ limit: 1, cursor: null })
    expect(first.items).toHaveLength(1)
    const { pagination } = await getServiceFeed({ limit: 5, cursor: first.pagination?.next_cursor ?? '' })
    expect(pagination?.has_more).toBe(false)
  })

  test('a subscription lives its whole life', async () => {
    const { createFeedSubscription, ...rest } = client
    const { subscription } = await createFeedSubscription({ callback_url: callback, events: ['service.deleted'] })
    const subscription_id = subscription?.id ?? ''
    expect(subscription_id).toMatch(/^sub_/)
    for (const [move, status] of [
      ['getFeedSubscription', 'active'],
      ['pauseFeedSubscription', 'paused'],
      ['resumeFeedSubscription', 'active'],
      ['cancelFeedSubscription', 'canceled'],
      ['getFeedSubscription', 'canceled'],
    ] as const)
      expect((await rest[move]({ subscription_id })).subscription?.status).toBe(status)
  })

  test('a booking lives its whole life', async () => {
    const week = { start_date: day(3), end_date: day(9) }
    const { slots = [] } = await client.queryAvailability({ service_id: 'svc_a', ...week })
    // Each caller takes days of its own, and holds from the end: others of this table book from the beginning.
    const [slot, other] = slots.slice(
      4 *
        forms.findIndex(
          (form) => form.binding === binding && form.authentication === authentication && form.algorithm === algorithm,
        ),
    )
    const slot_id = slot?.id ?? ''
    const { hold } = await client.holdSlot({ service_id: 'svc_a', slot_id })
    const { booking } = await client.createBooking({ service_id: 'svc_a', slot_id, hold_id: hold?.id ?? '', buyer })
    expect(booking).toMatchObject({ status: 'confirmed', slot: { id: slot_id } })
    const booking_id = booking?.id ?? ''
    expect((await client.updateBooking({ booking_id, notes: 'By the window' })).booking?.notes).toBe('By the window')
    const moved = await client.rescheduleBooking({ booking_id, slot_id: other?.id ?? '' })
    expect(moved.booking?.slot.id).toBe(other?.id)
    expect((await client.getBooking({ booking_id })).booking?.slot.id).toBe(other?.id)
    expect((await client.cancelBooking({ booking_id })).booking?.status).toBe('canceled')
  })

  test('a listing lives its whole life', async () => {
    const wish = {
      profile_url: `${listed.url}?${crypto.randomUUID()}`,
      deployment_mode: 'standalone' as const,
      name: 'Sunrise Studio',
      verticals: ['appointment'],
      categories: ['wellness'],
      location: { coordinates: { lat: 40.75, lng: -73.99 } },
      timezone: 'America/New_York',
    }
    const { registration } = await client.registerBusiness(wish)
    expect(registration).toMatchObject({ ...wish, status: 'active' })
    const id = registration?.id ?? ''
    expect((await client.getRegistration({ id })).registration).toEqual(registration)
    const name = 'Dusk Studio'
    expect((await client.updateRegistration({ id, ...wish, name })).registration).toEqual({ ...registration, name })
    expect((await client.searchBusinesses({ query: 'dusk' })).businesses).toContainEqual({ ...registration, name })
    expect((await client.searchServices({ query: 'dusk' })).services).toEqual([])
    expect(await client.deleteRegistration({ id })).not.toHaveProperty('messages')
    await expect(client.getRegistration({ id })).rejects.toMatchObject({ code: 'registration_not_found' })
  })

  test('what the business cannot process is an error with its code and the faults of the input', async () => {
    const { createFeedSubscription, getFeedSubscription } = client
    const refused = await createFeedSubscription({ callback_url: 'https://10.0.0.1/' }).catch((error) => error)
    expect(refused).toBeInstanceOf(UspError)
    expect(refused).toMatchObject({
      code: 'validation_error',
      status: binding === 'rest' ? 422 : -32602,
      errors: [{ field: 'callback_url' }],
    })
    await expect(getFeedSubscription({ subscription_id: '../x?y#z' })).rejects.toMatchObject({
      code: 'subscription_not_found',
    })
  })

  test('[LIV-002] [LIV-007] an unknown id is an error, whatever it looks like', async () => {
    const status = binding === 'rest' ? 404 : -32602
    for (const service_id of ['svc_none', '日本', 'x'.repeat(2_000)])
      await expect(client.getService({ service_id })).rejects.toMatchObject({ code: 'service_not_found', status })
    const unknown = { booking_id: 'bkg_none' }
    for (const read of [client.getBooking, client.cancelBooking])
      await expect(read(unknown)).rejects.toMatchObject({ code: 'booking_not_found', status })
  })

  test('[IDM-005] a wish under the same idempotency key is granted once', async () => {
    const { createFeedSubscription } = client
    const idempotencyKey = crypto.randomUUID()
    const wish = () => createFeedSubscription({ callback_url: callback }, { idempotencyKey })
    const [one, other] = await Promise.all([wish(), wish()])
    expect(one.subscription?.id).toMatch(/^sub_/)
    expect(other).toEqual(one)
  })
})

test.each(['rest', 'mcp'] as const)('over %s a no of the business is left in the payload', async (binding) => {
  const { listServices } = createClient({
    profileUrl: `${business.url}/.well-known/usp`,
    platformProfile: incapable.url,
    key: await generateKey(),
    binding,
  })
  const { usp, services, messages } = await listServices()
  expect(usp.status).toBe('error')
  expect(services).toBeUndefined()
  expect(messages?.map(({ code }) => code)).toEqual(['capabilities_incompatible'])
})

test('the client reaches each operation of platforms where the server has it', () => {
  expect(Object.keys(known)).toEqual(served.filter(({ access }) => access !== 'business_only').map(({ id }) => id))
  for (const [id, { rest, tool, access, resource }] of Object.entries(known)) {
    const operation = served.find((one) => one.id === id)
    const asked = operation?.access === 'public' ? 'public' : operation?.effect === 'read' ? 'read' : 'write'
    expect({ rest, tool, access }).toEqual({ rest: operation?.rest, tool: operation?.tool, access: asked })
    expect(resource !== undefined).toBe(operation?.access === 'privileged_scoped')
  }
})
