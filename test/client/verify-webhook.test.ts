import { beforeAll, describe, expect, test } from 'vitest'
import { type RawRequest, verifyWebhook, WebhookError } from '../../packages/client/index.ts'
import { createFeedSubscription } from '../events/subscriptions.ts'
import { toldShop } from '../events/told-shop.ts'
import { businessWith, service } from '../support/definitions.ts'
import { restDesk } from '../support/desk.ts'
import { platformProfile, testKey, testPlatform } from '../support/platform.ts'
import type { Received } from '../support/receiver.ts'
import { changed, digestOf, type Outgoing, published, type Signing, signed } from '../support/sign.ts'

const group = service('svc_class', {
  type: 'group',
  capacity: { max: 1, waitlist: true },
  sessions: [{ days: ['tuesday'], starts: '10:00' }],
})
const shop = await toldShop(businessWith([service('svc_a'), group]))
const desk = restDesk(shop)
const { receiver } = shop
const profileOfShop = async () => (await shop.rest('GET', '/.well-known/usp')).body
const hookUrl = receiver.url
const { origin } = new URL(hookUrl)
const now = () => shop.time.now

const cancelOne = async () => desk.cancel((await desk.book((await desk.slots('svc_a'))[0])).data.booking.id)

/** Causes events, and returns the last request that the server sent. */
async function sentBy(cause: () => Promise<unknown>): Promise<Received> {
  await shop.told()
  await cause()
  await shop.toldAfter(1)
  const request = receiver.received.at(-1)
  if (!request) throw new Error('The server sent no event')
  return request
}

const rawOf = ({ method, path, headers, raw }: Received): RawRequest => ({
  method,
  url: origin + path,
  headers,
  body: raw,
})

function fetchRequestOf({ method, path, headers, raw }: Received): Request {
  const sent = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)])
  return new Request(origin + path, { method, headers: sent, body: raw.toString() })
}

const families: Record<string, () => Promise<unknown>> = {
  'booking.canceled': cancelOne,
  'service.updated': async () => {
    await createFeedSubscription(desk, receiver.url)
    await shop.apply(businessWith([service('svc_a', { name: crypto.randomUUID() }), group]))
  },
  'waitlist.spot_offered': async () => {
    const { booking } = (await desk.book((await desk.slots('svc_class'))[0])).data
    const buyer = { first_name: 'Bob', last_name: 'Smith', email: 'bob@example.com' }
    await desk.call('usp_waitlist_join', { service_id: 'svc_class', buyer })
    await desk.cancel(booking.id)
  },
}

describe.each(Object.keys(families))('an event %s of the server', (type) => {
  let received: Received
  beforeAll(async () => {
    await shop.told()
    await families[type]?.()
    await shop.toldAfter(1)
    received = receiver.received.find(({ body }) => body.event === type) as Received
  })

  test.each<[string, () => RawRequest | Request]>([
    ['a Request', () => fetchRequestOf(received)],
    ['bytes', () => rawOf(received)],
    ['a text', () => ({ ...rawOf(received), body: received.raw.toString() })],
    ['Headers', () => ({ ...rawOf(received), headers: fetchRequestOf(received).headers })],
  ])('[SIG-052] [EVT-033] is verified as %s', async (_, request) => {
    const event = await verifyWebhook(request(), await profileOfShop(), { now: now() })
    expect(event).toEqual(received.body)
    expect(event.event).toBe(type)
  })
})

test('the keys alone verify an event too', async () => {
  const request = rawOf(await sentBy(cancelOne))
  expect(await verifyWebhook(request, (await profileOfShop()).keys, { now: now() })).toHaveProperty('event_id')
})

test('[EVT-050] an event in the form of MCP is verified, and the result is the event', async () => {
  const services = { 'dev.usp-protocol.services': [{ transport: 'mcp' }] }
  const platform = await testPlatform({ usp: { ...platformProfile().usp, services }, webhook_url: hookUrl })
  const as = await shop.newPlatform(platform.url)
  const request = await sentBy(async () => {
    const { id } = (await desk.book((await desk.slots('svc_a'))[0], {}, { as })).data.booking
    await desk.cancel(id, {}, { as })
  })
  expect(request.body).toMatchObject({ jsonrpc: '2.0', method: 'usp_webhook' })
  const event = await verifyWebhook(rawOf(request), await profileOfShop(), { now: now() })
  expect(event).toEqual(request.body.params)
})

test('the default time is the current time', async () => {
  const request = rawOf(await sentBy(cancelOne))
  await expect(verifyWebhook(request, await profileOfShop())).rejects.toMatchObject({ code: 'expired' })
})

const refusalOf = async (...args: Parameters<typeof verifyWebhook>) => {
  const error: unknown = await verifyWebhook(...args).catch((cause: unknown) => cause)
  expect(error).toBeInstanceOf(WebhookError)
  expect(error).toMatchObject({ name: 'WebhookError', message: expect.stringMatching(/\.$/) })
  return error instanceof WebhookError ? error.code : error
}

const withHeaders = (request: RawRequest, headers: Record<string, string | undefined>): RawRequest => ({
  ...request,
  headers: { ...Object(request.headers), ...headers },
})

test.each<[string, string, (request: RawRequest) => RawRequest]>([
  ['another body', 'digest_mismatch', (one) => ({ ...one, body: `${one.body} ` })],
  ['a parsed body', 'malformed', (one) => ({ ...one, body: JSON.parse(String(one.body)) })],
  ['another digest', 'signature_invalid', (one) => withHeaders(one, { 'content-digest': digestOf('{}') })],
  [
    'the digest of another body',
    'signature_invalid',
    (one) => ({ ...withHeaders(one, { 'content-digest': digestOf('{}') }), body: '{}' }),
  ],
  ['no digest', 'signature_invalid', (one) => withHeaders(one, { 'content-digest': undefined })],
  ['another type', 'signature_invalid', (one) => withHeaders(one, { 'content-type': 'text/plain' })],
  ['another method', 'signature_invalid', (one) => ({ ...one, method: 'PUT' })],
  ['another path', 'signature_invalid', (one) => ({ ...one, url: `${origin}/elsewhere?from=usp` })],
  ['another query', 'signature_invalid', (one) => ({ ...one, url: `${origin}/hooks?from=evil` })],
  ['another host', 'signature_invalid', (one) => ({ ...one, url: 'https://other.example/hooks?from=usp' })],
  ['a url without a host', 'malformed', (one) => ({ ...one, url: '/hooks?from=usp' })],
  ['no signature', 'signature_missing', (one) => withHeaders(one, { signature: undefined })],
  ['no signature input', 'signature_missing', (one) => withHeaders(one, { 'signature-input': undefined })],
  ['an empty signature', 'unknown_key', (one) => withHeaders(one, { signature: '', 'signature-input': '' })],
  ['a signature that is no dictionary', 'malformed', (one) => withHeaders(one, { signature: '(' })],
  ['a signature that is a text', 'malformed', (one) => withHeaders(one, { signature: 'sig1="abc"' })],
  ['a signature with another label', 'malformed', (one) => withHeaders(one, { signature: 'other=:AAAA:' })],
  ['a short signature', 'signature_invalid', (one) => withHeaders(one, { signature: 'sig1=:AAAA:' })],
  ['an input that is no list', 'malformed', (one) => withHeaders(one, { 'signature-input': 'sig1="@method"' })],
  ['a header of two lines', 'malformed', (one) => withHeaders(one, { 'content-type': 'application/json\r\nx: y' })],
])('[SIG-048] [SIG-051] [EVT-034] an event with %s is refused: %s', async (_, code, forge) => {
  const request = rawOf(await sentBy(cancelOne))
  const profile = await profileOfShop()
  expect(await refusalOf(forge(request), profile, { now: now() })).toBe(code)
  expect(await verifyWebhook(request, profile, { now: now() })).toHaveProperty('event_id')
})

test('an event that a receiver forwards to another platform is refused, whatever host it names', async () => {
  const received = await sentBy(cancelOne)
  const options = { url: 'https://platform.example/hooks?from=usp', now: now() }
  for (const request of [rawOf(received), fetchRequestOf(received)])
    expect(await refusalOf(request, await profileOfShop(), options)).toBe('signature_invalid')
})

test('a Request whose body was read is refused', async () => {
  const request = fetchRequestOf(await sentBy(cancelOne))
  await request.text()
  expect(await refusalOf(request, await profileOfShop(), { now: now() })).toBe('malformed')
})

test('[EVT-035] an event is accepted for five minutes, and by a clock that is a minute behind', async () => {
  const request = rawOf(await sentBy(cancelOne))
  const profile = await profileOfShop()
  const at = (seconds: number) => ({ now: new Date(now().getTime() + seconds * 1000) })
  for (const seconds of [-59, 0, 299])
    expect(await verifyWebhook(request, profile, at(seconds))).toHaveProperty('event')
  for (const seconds of [-62, 302]) expect(await refusalOf(request, profile, at(seconds))).toBe('expired')
})

test('an event by a key that the business no longer publishes is refused', async () => {
  const request = rawOf(await sentBy(cancelOne))
  for (const keys of [[], {}, [published('other', testKey('ES256'))]] as const)
    expect(await refusalOf(request, keys, { now: now() })).toBe('unknown_key')
  const [{ kid }] = (await profileOfShop()).keys
  expect(await refusalOf(request, [published(kid, testKey('ES256'))] as never, { now: now() })).toBe(
    'signature_invalid',
  )
})

describe('signatures that the server does not make', () => {
  const keys = { ES256: testKey('ES256'), EdDSA: testKey('EdDSA') }
  const stranger = testKey('ES256')
  const profile = {
    keys: [published('ec', keys.ES256, { alg: 'ES256' }), published('ed', keys.EdDSA)],
    signing_keys: [published('ucp', keys.ES256)],
  } as never
  const seconds = Math.floor(Date.now() / 1000)
  const body = JSON.stringify({ event: 'booking.canceled', event_id: 'evt_1', booking_id: 'bkg_1' })
  const unsigned: Outgoing = {
    method: 'POST',
    target: '/hook?x=1',
    headers: { 'content-type': 'application/json', 'content-digest': digestOf(body) },
    body,
  }
  const usual = ['@method', '@authority', '@path', '@query', 'content-digest', 'content-type']
  const parameters = `;created=${seconds};keyid="ec"`
  const sign = (more: Partial<Signing> = {}, outgoing = unsigned) =>
    signed(outgoing, { key: keys.ES256.private, parameters, components: usual, origin, ...more })
  const verify = ({ method, target, headers, body }: Outgoing, url = origin + target) =>
    verifyWebhook({ method, url, headers, body }, profile)
  const without = (name: string) => usual.filter((one) => one !== name)
  const withBody = (body: string) => changed({ ...unsigned, body }, { 'content-digest': digestOf(body) })

  test.each<[string, () => Outgoing]>([
    ['the usual ones', () => sign()],
    ['Ed25519', () => sign({ key: keys.EdDSA.private, parameters: `;created=${seconds};keyid="ed";alg="ed25519"` })],
    ['a key among signing_keys', () => sign({ parameters: `;created=${seconds};keyid="ucp"` })],
    ['an end in the future', () => sign({ parameters: `${parameters};expires=${seconds + 60}` })],
    ['more headers', () => sign({ components: [...usual, 'x-more'] }, changed(unsigned, { 'x-more': 'yes' }))],
    ['the whole address and its scheme', () => sign({ components: [...usual, '@target-uri', '@scheme'] })],
    ['SHA-512', () => sign({}, changed(unsigned, { 'content-digest': digestOf(body, 'sha-512') }))],
    [
      'a signature of a proxy before it',
      () =>
        sign({}, sign({ label: 'proxy', components: ['@method'], key: stranger.private, parameters: ';keyid="p"' })),
    ],
    [
      'an expired signature of the same business before it',
      () => sign({}, sign({ label: 'old', parameters: ';created=1;keyid="ec"' })),
    ],
  ])('an event with %s is accepted', async (_, outgoing) => {
    expect(await verify(outgoing())).toEqual(JSON.parse(body))
  })

  test('no query needs no signature', async () => {
    const outgoing = sign({ components: without('@query') }, { ...unsigned, target: '/hook' })
    expect(await verify(outgoing)).toHaveProperty('event_id', 'evt_1')
  })

  test('amounts in digits are read like numbers', async () => {
    const data = { payment: { amount: '1200' } }
    const event = await verify(sign({}, withBody(JSON.stringify({ ...JSON.parse(body), data }))))
    expect(event.data).toEqual({ payment: { amount: 1200 } })
  })

  test.each<[string, string, () => Outgoing]>([
    ...usual.map((name): [string, string, () => Outgoing] => [
      `a signature without ${name}`,
      'component_missing',
      () => sign({ components: without(name) }),
    ]),
    ['a component twice', 'malformed', () => sign({ components: [...usual, '@method'] })],
    ['a component with a parameter', 'malformed', () => sign({ components: [...usual, '"content-type";sf'] })],
    ['a component of an answer', 'signature_invalid', () => sign({ components: [...usual, '@status'] })],
    ['a component in capitals', 'malformed', () => sign({ components: [...usual, '"Content-Length"'] })],
    ['a covered header that is missing', 'signature_invalid', () => sign({ components: [...usual, 'x-more'] })],
    ['no time', 'malformed', () => sign({ parameters: ';keyid="ec"' })],
    ['a time in fractions', 'malformed', () => sign({ parameters: `;created=${seconds}.5;keyid="ec"` })],
    ['a time as a text', 'malformed', () => sign({ parameters: `;created="${seconds}";keyid="ec"` })],
    ['an old time', 'expired', () => sign({ parameters: `;created=${seconds - 400};keyid="ec"` })],
    ['a future time', 'expired', () => sign({ parameters: `;created=${seconds + 400};keyid="ec"` })],
    ['a past end', 'expired', () => sign({ parameters: `${parameters};expires=${seconds - 1}` })],
    ['an end that is a text', 'malformed', () => sign({ parameters: `${parameters};expires="never"` })],
    ['no key id', 'unknown_key', () => sign({ parameters: `;created=${seconds}` })],
    ['an unknown key id', 'unknown_key', () => sign({ parameters: `;created=${seconds};keyid="x"` })],
    ['the key of a stranger', 'signature_invalid', () => sign({ key: stranger.private })],
    ['the algorithm of another key', 'signature_invalid', () => sign({ parameters: `${parameters};alg="ed25519"` })],
    ['an algorithm with a secret', 'signature_invalid', () => sign({ parameters: `${parameters};alg="hmac-sha256"` })],
    [
      'a digest by an old algorithm',
      'malformed',
      () => sign({}, changed(unsigned, { 'content-digest': 'md5=:AAAA:' })),
    ],
    [
      'a digest that is a text',
      'digest_mismatch',
      () => sign({}, changed(unsigned, { 'content-digest': 'sha-256="a"' })),
    ],
    ['a digest that cannot be read', 'malformed', () => sign({}, changed(unsigned, { 'content-digest': '(' }))],
    [
      'a second digest of another body',
      'digest_mismatch',
      () => sign({}, changed(unsigned, { 'content-digest': `${digestOf(body)}, ${digestOf('{}', 'sha-512')}` })),
    ],
    [
      'two wrong signatures',
      'signature_invalid',
      () => sign({ key: stranger.private }, sign({ label: 'b', key: stranger.private })),
    ],
    ['only a signature of a proxy', 'unknown_key', () => sign({ key: stranger.private, parameters: ';keyid="p"' })],
    ['a body that is no JSON', 'malformed', () => sign({}, withBody('{'))],
    ['a body that is no event', 'no_event', () => sign({}, withBody('{"event_id":"evt_1"}'))],
    [
      '[LIV-049] an amount that is no number',
      'no_event',
      () => sign({}, withBody(JSON.stringify({ ...JSON.parse(body), data: { payment: { amount: '1e3' } } }))),
    ],
    ['a body that is a list', 'no_event', () => sign({}, withBody('[]'))],
    [
      'another method of JSON-RPC',
      'no_event',
      () => sign({}, withBody(JSON.stringify({ jsonrpc: '2.0', method: 'ping', params: JSON.parse(body) }))),
    ],
  ])('an event with %s is refused: %s', async (_, code, outgoing) => {
    const { method, target, headers, body } = outgoing()
    expect(await refusalOf({ method, url: origin + target, headers, body }, profile)).toBe(code)
  })

  test.each<[string, object]>([
    ['with another algorithm', { ...published('ec', keys.ES256), alg: 'ES384' }],
    ['for encryption', { ...published('ec', keys.ES256), use: 'enc' }],
    ['of another kind', { kid: 'ec', kty: 'RSA', n: 'AQAB', e: 'AQAB' }],
    ['that is secret', { kid: 'ec', kty: 'oct', k: 'AAAA' }],
    ['that is no point of its curve', { ...published('ec', keys.ES256), x: 'AAAA' }],
  ])('an event by a key %s is refused', async (_, key) => {
    const { method, target, headers, body } = sign()
    expect(await refusalOf({ method, url: origin + target, headers, body }, [key] as never)).toBe('unknown_key')
  })
})
