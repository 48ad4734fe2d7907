import { expect, test } from 'vitest'
import { generateKey, openKey } from '../../packages/client/platform-key.ts'
import { signed } from '../../packages/client/sign-request.ts'
import { rotateKey } from '../../src/core/keys/rotate-keys.ts'
import { signedHeaders } from '../../src/core/keys/sign-http-message.ts'
import { signingKey } from '../../src/core/keys/signing-keys.ts'
import { businessWith, service } from '../support/definitions.ts'
import { buyer, restDesk, type Shop, testShop, WEEK } from '../support/desk.ts'
import { ALL_WELL, type AnswerReceived, verifiedAnswer } from '../support/verify-signature.ts'

const group = service('svc_class', {
  type: 'group',
  capacity: { max: 1, waitlist: true },
  sessions: [{ days: ['tuesday', 'wednesday'], starts: '10:00' }],
})
const paid = service('svc_paid', { policies: { ...service('svc').policies, payment_timing: 'at_booking' } })
const plain = businessWith([service('svc_a'), group, paid])
const shop = await testShop({ ...plain, sign_answers: true })
const desk = restDesk(shop)
const unsigned = await testShop(plain)

interface Sent {
  method?: 'GET' | 'POST' | 'PUT' | 'HEAD'
  body?: object
  headers?: Record<string, string>
}

/** The answer as it went out, whatever it says. */
async function send(from: Shop, path: string, { method, body, headers = {} }: Sent = {}): Promise<AnswerReceived> {
  const { platform } = from
  const answer = await from.inject({
    method: method ?? (body ? 'POST' : 'GET'),
    url: `/usp/v1${path}`,
    headers: {
      'usp-agent': `profile="${platform.profile}"`,
      authorization: `Bearer ${platform.bearer}`,
      ...headers,
    },
    ...(body && { payload: body }),
  })
  return { status: answer.statusCode, headers: answer.headers as AnswerReceived['headers'], raw: answer.rawPayload }
}
const keys = async () => (await shop.rest('GET', '/.well-known/usp')).body.keys
const bodyOf = ({ raw }: AnswerReceived) => JSON.parse(raw.toString())
const keyOf = ({ headers }: AnswerReceived) => /keyid="([^"]+)"/.exec(String(headers['signature-input']))?.[1]
const isSigned = ({ headers }: AnswerReceived) =>
  ['content-digest', 'signature-input', 'signature'].map((name) => name in headers)
const everything = [true, true, true]
const nothing = [false, false, false]

const booked = async (service_id = 'svc_a') => (await desk.book((await desk.slots(service_id))[0])).data.booking
const offered = async () => {
  const booking = await booked('svc_class')
  const [{ id: slot_id }] = await desk.slots('svc_class')
  const { entry } = (await desk.call('usp_waitlist_join', { service_id: 'svc_class', slot_id, buyer })).data
  await desk.cancel(booking.id)
  return entry.id
}
const slot = async (service_id = 'svc_a') => ({ service_id, slot_id: (await desk.slots(service_id))[0].id })
const paying = ({ payment }: { payment: { amount_due: number } }) => ({
  payment_result: { status: 'paid', transaction_id: 'txn_1', amount_paid: payment.amount_due, currency: 'USD' },
})

/** Whatever tells of prices or bookings. */
const calls: Record<string, () => Promise<AnswerReceived>> = {
  'services that are listed': () => send(shop, '/services/list', { body: {} }),
  'a service': () => send(shop, '/services/svc_a'),
  'services that are looked up': () => send(shop, '/services/lookup', { body: { ids: ['svc_a', 'svc_none'] } }),
  'the feed': () => send(shop, '/services/feed'),
  'free times': () => send(shop, '/availability/query', { body: { service_id: 'svc_a', ...WEEK } }),
  'a hold': async () => send(shop, '/availability/holds', { body: await slot() }),
  'a new booking': async () => send(shop, '/bookings', { body: { ...(await slot()), buyer } }),
  'a booking': async () => send(shop, `/bookings/${(await booked()).id}`),
  'a booking that was changed': async () =>
    send(shop, `/bookings/${(await booked()).id}`, { method: 'PUT', body: { notes: 'Grüße, 東京' } }),
  'a booking that was moved': async () =>
    send(shop, `/bookings/${(await booked()).id}/reschedule`, { body: await slot() }),
  'a booking that was paid': async () => {
    const booking = await booked('svc_paid')
    return send(shop, `/bookings/${booking.id}/confirm-payment`, { body: paying(booking) })
  },
  'a booking that was canceled': async () => send(shop, `/bookings/${(await booked()).id}/cancel`, { body: {} }),
  'an offer that was accepted': async () => send(shop, `/waitlist/${await offered()}/accept`, { body: {} }),
  'a booking for a calendar': async () => send(shop, `/bookings/${(await booked()).id}/calendar.ics`),
  'a refusal by the business': async () => {
    const { id } = await booked()
    await desk.cancel(id)
    return send(shop, `/bookings/${id}/cancel`, { body: {} })
  },
}

test.each(Object.keys(calls))(
  '[SIG-062] the answer about %s is signed so that two other libraries verify it by the served profile',
  async (what) => {
    const answer = (await calls[what]?.()) as AnswerReceived
    expect(answer.status).toBeLessThan(300)
    expect(await verifiedAnswer(answer, await keys())).toEqual(ALL_WELL)
    const covered = /^sig1=\(([^)]*)\)/.exec(String(answer.headers['signature-input']))?.[1]
    expect(covered).toBe('"@status" "content-digest" "content-type"')
    expect(answer.headers['signature-input']).toContain(`;created=${Math.floor(shop.time.now.getTime() / 1000)};`)
  },
)

const KEY_OF_PLATFORM = await openKey(await generateKey('ES256'))
const message = { method: 'POST' as const, url: 'https://a.example/hook?x=1', headers: {}, body: '{}' }
test.each<[string, () => Promise<unknown>]>([
  ['an answer', async () => (await send(shop, '/services/svc_a')).headers['signature-input']],
  [
    'a request of the server',
    async () => {
      const key = await signingKey(shop.runtime, shop.time.now)
      return signedHeaders({ ...message, body: Buffer.from('{}') }, key, shop.time.now)['signature-input']
    },
  ],
  ['a request of the client', async () => (await signed(message, KEY_OF_PLATFORM)).headers['signature-input']],
])('[signature parameters stand in the order in which others rebuild them] %s', async (_, inputOf) => {
  const parameters = /\);(.*)$/.exec(String(await inputOf()))?.[1] ?? ''
  const order = ['created', 'expires', 'nonce', 'alg', 'keyid', 'tag']
  const names = parameters.split(';').map((one) => one.split('=')[0] ?? '')
  expect(names).toEqual(expect.arrayContaining(['created', 'alg', 'keyid']))
  expect(names).toEqual(order.filter((name) => names.includes(name)))
})

test.each<[string, (answer: AnswerReceived) => Partial<AnswerReceived>]>([
  ['another body', ({ raw }) => ({ raw: Buffer.from(`${raw} `) })],
  ['another status', ({ status }) => ({ status: status + 1 })],
  ['another type', ({ headers }) => ({ headers: { ...headers, 'content-type': 'application/json' } })],
  ['another digest', ({ headers }) => ({ headers: { ...headers, 'content-digest': 'sha-256=:AAAA:' } })],
])('[SIG-062] with %s it verifies no more', async (_, forge) => {
  const answer = await send(shop, '/services/svc_a')
  const forged = await verifiedAnswer({ ...answer, ...forge(answer) }, await keys())
  expect(forged).not.toEqual(ALL_WELL)
})

test('[SIG-063] a repeated call is answered with the same bytes, and they are signed anew', async () => {
  const sent = { body: { ...(await slot()), buyer }, headers: { 'idempotency-key': crypto.randomUUID() } }
  const first = await send(shop, '/bookings', sent)
  shop.minutesLater(1)
  await rotateKey(shop.runtime, shop.time.now)
  shop.minutesLater(6)
  const again = await send(shop, '/bookings', sent)
  expect(again.headers['idempotency-replayed']).toBe('true')
  expect(again.raw.equals(first.raw)).toBe(true)
  expect(bodyOf(again).booking.status).toBe('confirmed')
  const published = await keys()
  for (const answer of [first, again]) expect(await verifiedAnswer(answer, published)).toEqual(ALL_WELL)
  expect(published.map(({ kid }: { kid: string }) => kid)).toEqual([keyOf(first), keyOf(again)])
})

test('what has no content is not signed: 304 and HEAD', async () => {
  const full = await send(shop, '/services/svc_a')
  expect(isSigned(full)).toEqual(everything)
  const known = await send(shop, '/services/svc_a', { headers: { 'if-none-match': String(full.headers.etag) } })
  expect([known.status, known.raw.length, isSigned(known)]).toEqual([304, 0, nothing])
  const head = await send(shop, '/services/svc_a', { method: 'HEAD' })
  expect([head.status, isSigned(head)]).toEqual([200, nothing])
  expect(head.headers['content-length']).toBe(String(full.raw.length))
})

test('refusals of the protocol are not signed', async () => {
  const refused = await send(shop, '/bookings', { body: {} })
  expect([refused.status, isSigned(refused)]).toEqual([400, nothing])
  for (const path of ['/bookings/bkg_none', '/bookings/bkg_none/calendar.ics']) {
    const missing = await send(shop, path)
    expect([missing.status, isSigned(missing)]).toEqual([404, nothing])
  }
})

test('browsers may read the signature', async () => {
  const { headers } = await send(shop, '/services/svc_a', { headers: { origin: 'https://platform.example' } })
  const exposed = String(headers['access-control-expose-headers']).toLowerCase().split(', ')
  expect(exposed).toEqual(expect.arrayContaining(['content-digest', 'signature', 'signature-input']))
})

test('a business that says nothing of it signs nothing, and one that switches it off signs no more', async () => {
  expect(isSigned(await send(unsigned, '/services/svc_a'))).toEqual(nothing)
  await shop.apply(plain)
  await expect.poll(async () => isSigned(await send(shop, '/services/svc_a'))).toEqual(nothing)
})
