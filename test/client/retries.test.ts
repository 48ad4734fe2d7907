import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { createClient, generateKey, publishedKey, UnreachableError } from '../../packages/client/index.ts'
import { businessWith, service } from '../support/definitions.ts'
import { testPlatform } from '../support/platform.ts'
import { freePort } from '../support/process.ts'
import { callback, openBusiness } from './business.ts'
import { openProxy, type Seen } from './proxy.ts'

const key = await generateKey()
const platform = await testPlatform({ keys: [await publishedKey(key)] })

/** A business that is reached through a proxy alone. */
async function behindProxy(nonces: boolean) {
  const port = await freePort()
  const proxy = await openProxy(port)
  const business = await openBusiness(businessWith([service('svc_a')], { authorization: { proof_nonces: nonces } }), {
    env: { BASE_URL: `http://127.0.0.1:${port}` },
  })
  proxy.target = business.port
  return { business, proxy }
}

const { business, proxy } = await behindProxy(false)
const strict = await behindProxy(true)

beforeEach(() => {
  for (const one of [proxy, strict.proxy]) Object.assign(one, { mishaps: [], seen: [] })
})

const subscriptions = () => business.runtime.db.selectFrom('feed_subscriptions').selectAll().execute()

const idempotencyKeyOf = ({ headers, body }: Seen) =>
  headers['idempotency-key'] ?? body.params.arguments._meta.usp.idempotency_key
const proofOf = ({ headers, body }: Seen) =>
  headers.dpop ?? headers.signature ?? body.params.arguments._meta.usp.authorization.proof

const forms = (['rest', 'mcp'] as const).flatMap((binding) =>
  (['proof', 'signature'] as const).map((authentication) => ({ binding, authentication })),
)

describe.each(forms)('over $binding with a $authentication', ({ binding, authentication }) => {
  const { createFeedSubscription, getFeedSubscription } = createClient({
    baseUrl: business.url,
    platformProfile: platform.url,
    key,
    authentication,
    binding,
  })
  const subscribe = () => createFeedSubscription({ callback_url: `${callback}/${randomUUID()}` })

  test('a wish whose answer was lost is sent again and granted once', async () => {
    const before = await subscriptions()
    proxy.mishaps = ['cut']
    const { subscription } = await subscribe()
    const known = new Set(before.map(({ id }) => id))
    expect((await subscriptions()).map(({ id }) => id).filter((id) => !known.has(id))).toEqual([subscription?.id])
    expect(proxy.seen).toHaveLength(2)
    expect(new Set(proxy.seen.map(idempotencyKeyOf)).size).toBe(1)
    if (authentication === 'proof') expect(new Set(proxy.seen.map(proofOf)).size).toBe(2)
  })

  test('a read whose answer was lost is sent again with a proof of its own', async () => {
    const { subscription } = await subscribe()
    proxy.mishaps = ['cut']
    const read = await getFeedSubscription({ subscription_id: subscription?.id ?? '' })
    expect(read.subscription?.id).toBe(subscription?.id)
  })

  test('busy and limited are waited out, for as long as the business says', async () => {
    proxy.mishaps = [{ status: 503 }, { status: 429, headers: { 'retry-after': '1' } }]
    const start = Date.now()
    expect((await subscribe()).subscription?.status).toBe('active')
    expect(Date.now() - start).toBeGreaterThan(1000)
    expect(proxy.seen).toHaveLength(3)
  })

  test('after the fourth failure the caller is told', async () => {
    proxy.mishaps = ['cut', 'cut', 'cut', 'cut']
    await expect(subscribe()).rejects.toBeInstanceOf(UnreachableError)
    expect(proxy.seen).toHaveLength(4)
  })

  test('a wait that is too long is left to the caller', async () => {
    proxy.mishaps = [{ status: 429, headers: { 'retry-after': '3600' } }]
    await expect(subscribe()).rejects.toMatchObject({ code: 'rate_limited', status: 429, retryAfter: 3600 })
    expect(proxy.seen).toHaveLength(1)
  })

  test('what was refused for good, or led elsewhere, is not tried again', async () => {
    await expect(getFeedSubscription({ subscription_id: 'sub_none' })).rejects.toMatchObject({
      code: 'subscription_not_found',
    })
    proxy.mishaps = [{ status: 307, headers: { location: 'http://127.0.0.1:1/' } }]
    await expect(subscribe()).rejects.toMatchObject({ code: 'unexpected_answer', status: 307 })
    expect(proxy.seen).toHaveLength(2)
  })
})

test('a tool that is limited is called again once the wait is over', async () => {
  const data = { code: 'rate_limited', content: 'Too many calls.', retry_after: 1 }
  const body = { jsonrpc: '2.0', id: 1, error: { code: -32007, message: 'rate_limited', data } }
  proxy.mishaps = [{ status: 200, body }]
  const { getService } = createClient({ baseUrl: business.url, platformProfile: platform.url, key, binding: 'mcp' })
  expect((await getService({ service_id: 'svc_a' })).service?.id).toBe('svc_a')
  expect(proxy.seen).toHaveLength(2)
})

const typed = (slug: string) => ({ type: `https://usp-protocol.dev/errors/${slug}`, title: 'A problem', status: 404 })

test.each([
  ['[LIV-003] a problem with a type alone', 404, typed('booking-not-found'), 'booking_not_found'],
  ['[LIV-007] a problem with a type alone', 404, typed('service-not-found'), 'service_not_found'],
  ['[LIV-023] a problem of the type about:blank', 404, { type: 'about:blank', title: 'Not Found' }, 'not_found'],
  ['[LIV-019] a problem of the type about:blank', 405, { type: 'about:blank' }, 'method_not_allowed'],
  ['[LIV-021] a problem of the type about:blank', 501, { type: 'about:blank' }, 'not_implemented'],
])('%s with HTTP %i has its code', async (_, status, body, code) => {
  proxy.mishaps = [{ status, body }]
  const { getService } = createClient({ baseUrl: business.url, platformProfile: platform.url, key })
  await expect(getService({ service_id: 'svc_a' })).rejects.toMatchObject({ code, status })
  expect(proxy.seen).toHaveLength(1)
})

test('[LIV-029] [LIV-030] an operation that the business has no tool for is not found', async () => {
  const error = { code: -32602, message: 'There is no tool named "usp_services_get".', data: { content: 'None.' } }
  proxy.mishaps = [{ status: 200, body: { jsonrpc: '2.0', id: 1, error } }]
  const { getService } = createClient({ baseUrl: business.url, platformProfile: platform.url, key, binding: 'mcp' })
  await expect(getService({ service_id: 'svc_a' })).rejects.toMatchObject({ code: 'not_found', status: -32602 })
  expect(proxy.seen).toHaveLength(1)
})

test('a tool that answers with a stream of events is understood', async () => {
  const { getService } = createClient({ baseUrl: business.url, platformProfile: platform.url, key, binding: 'mcp' })
  const result = { structuredContent: { usp: { version: '2026-08-20' }, service: { id: 'svc_streamed' } } }
  const events = [{ method: 'notifications/progress' }, { id: 1, result }].map(
    (message) => `event: message\r\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\r\n\r\n`,
  )
  proxy.mishaps = [{ status: 200, headers: { 'content-type': 'text/event-stream' }, body: events.join('') }]
  expect((await getService({ service_id: 'svc_a' })).service?.id).toBe('svc_streamed')
})

describe.each(['rest', 'mcp'] as const)('over %s', (binding) => {
  const open = () => createClient({ baseUrl: strict.business.url, platformProfile: platform.url, key, binding })

  test('the nonce that a business asks for is put into the next proof, and into those after', async () => {
    const { createFeedSubscription, getFeedSubscription } = open()
    const { subscription } = await createFeedSubscription({ callback_url: callback })
    expect(subscription?.status).toBe('active')
    expect(strict.proxy.seen).toHaveLength(2)
    expect(new Set(strict.proxy.seen.map(idempotencyKeyOf)).size).toBe(1)
    await getFeedSubscription({ subscription_id: subscription?.id ?? '' })
    expect(strict.proxy.seen).toHaveLength(3)
  })

  test('a business that is never content with a nonce is not obeyed twice', async () => {
    const told = { code: 'proof_nonce_required', nonce: 'again', content: '', detail: '' }
    const challenge =
      binding === 'rest'
        ? { status: 401, body: told }
        : { status: 200, body: { jsonrpc: '2.0', id: 1, error: { code: -32001, message: told.code, data: told } } }
    strict.proxy.mishaps = [challenge, challenge, challenge]
    await expect(open().createFeedSubscription({ callback_url: callback })).rejects.toMatchObject({ code: told.code })
    expect(strict.proxy.seen).toHaveLength(2)
  })
})
