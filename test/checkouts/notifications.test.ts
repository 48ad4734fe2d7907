import { describe, expect, test } from 'vitest'
import { paidShop } from '../payments/shop.ts'
import { testServer } from '../support/server.ts'

const { shop, desk, stripe, booked, now, checkout, pay, refundsOf, aMinuteLater } = await paidShop()
const PAID = 'checkout.session.completed'

describe('a payment that Stripe tells of', () => {
  test('confirms the booking, which names it', async () => {
    const booking = await booked('svc_paid')
    const session = await checkout(booking)
    const { status, body } = await stripe.notify(shop, PAID, stripe.pay(session))
    expect([status, body]).toEqual([200, { received: true }])
    expect(await now(booking)).toMatchObject({
      status: 'confirmed',
      payment: { status: 'paid', amount_due: 0, transaction_id: session.payment_intent },
    })
  })

  test('confirms it once, however often it is told and by whatever event', async () => {
    const booking = await booked('svc_paid')
    const session = stripe.pay(await checkout(booking))
    await stripe.notify(shop, PAID, session)
    const { revision } = await now(booking)
    for (const type of [PAID, PAID, 'checkout.session.async_payment_succeeded'])
      expect((await stripe.notify(shop, type, session)).status).toBe(200)
    const answers = await Promise.all([1, 2, 3].map(() => stripe.notify(shop, PAID, session)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await now(booking)).revision).toBe(revision)
    await aMinuteLater()
    expect(refundsOf(session)).toEqual([])
  })

  test('[PAY-037] leaves the booking waiting for what else is to be done', async () => {
    const booking = await booked('svc_all')
    await pay(await checkout(booking))
    const { status, actions } = await now(booking)
    expect(status).toBe('requires_action')
    expect(actions.map(({ type, status }: Record<string, string>) => [type, status])).toEqual([
      ['waiver', 'pending'],
      ['intake', 'pending'],
      ['payment', 'completed'],
    ])
    await desk.cancel(booking.id)
  })

  test('counts when its session was not yet known to be open', async () => {
    const booking = await booked('svc_paid')
    const session = await checkout(booking)
    const { db } = shop.runtime
    await db.updateTable('checkouts').set({ reference: null }).where('booking_id', '=', booking.id).execute()
    await pay(session)
    expect(await now(booking)).toMatchObject({ status: 'confirmed' })
  })
})

describe('what is no payment changes nothing', () => {
  test.each([
    ['a checkout that was left', 'checkout.session.expired', { status: 'expired' }],
    ['a payment under way', PAID, { status: 'complete', payment_status: 'unpaid' }],
    [
      'a payment that failed',
      'checkout.session.async_payment_failed',
      { status: 'complete', payment_status: 'unpaid' },
    ],
  ])('%s', async (_, type, change) => {
    const booking = await booked('svc_paid')
    const session = { ...(await checkout(booking)), ...change }
    expect((await stripe.notify(shop, type, session)).status).toBe(200)
    expect(await now(booking)).toMatchObject({ status: 'requires_action', revision: booking.revision })
  })

  test.each([
    ['of another system of the same account', PAID, { object: 'checkout.session', client_reference_id: 'order_7' }],
    ['without a reference', PAID, { object: 'checkout.session', client_reference_id: null }],
    ['of something else', 'charge.succeeded', { object: 'charge', amount: 1 }],
  ])('an event %s', async (_, type, object) => {
    expect((await stripe.notify(shop, type, { id: 'x_1', ...object })).status).toBe(200)
  })
})

test('the address for notifications takes nothing but POST, and says so', async () => {
  const { status, headers } = await shop.raw({ method: 'GET', url: '/payments/stripe' })
  expect([status, headers.allow]).toEqual([405, 'POST'])
})

describe('[an odd notice that is signed] books nothing and breaks nothing:', () => {
  const huge = 'x'.repeat(20_000)
  const odd: [string, (session: object) => unknown][] = [
    ['nothing', () => null],
    ['a word', () => 'session'],
    ['a list', () => []],
    ['an object without members', () => ({})],
    ...[undefined, null, -8250, 0, 0.5, 1e15, 1e300, '8250', {}].map(
      (amount_total): [string, (one: object) => unknown] => [
        `a sum of ${JSON.stringify(amount_total)}`,
        (session) => ({ ...session, amount_total }),
      ],
    ),
    ...[undefined, null, '', 'xyz', 'us', 'dollars', 840, {}].map((currency): [string, (one: object) => unknown] => [
      `the currency ${JSON.stringify(currency)}`,
      (session) => ({ ...session, currency }),
    ]),
    ...[undefined, null, 7, {}, 'cs_other', huge, 'a\u0000b', '\ud800'].map(
      (id): [string, (one: object) => unknown] => [
        `the id ${String(JSON.stringify(id)).slice(0, 20)}`,
        (session) => ({ ...session, id }),
      ],
    ),
    ...[7, {}, [], huge, 'a\u0000b'].map((client_reference_id): [string, (one: object) => unknown] => [
      `the reference ${JSON.stringify(client_reference_id).slice(0, 20)}`,
      (session) => ({ ...session, client_reference_id }),
    ]),
    ...['paid', 7, null, {}].map((status): [string, (one: object) => unknown] => [
      `the status ${JSON.stringify(status)}`,
      (session) => ({ ...session, status }),
    ]),
  ]
  test.each(odd)('%s', async (_, changed) => {
    const booking = await booked('svc_paid')
    const session = { ...(await checkout(booking)) }
    const { status } = await stripe.notify(shop, PAID, Object(changed(stripe.pay(session))))
    expect([200, 400]).toContain(status)
    expect(await now(booking)).toMatchObject({ status: 'requires_action', revision: booking.revision })
    await desk.cancel(booking.id)
  })

  test.each(['null', '7', '"event"', '[]', '{}', '{"data":null}', '{"data":{"object":null}}', '{"data":{}}', '{'])(
    'a whole notice that is %s',
    async (body) => {
      const answer = await stripe.notifyText(shop, body)
      expect([200, 400]).toContain(answer.status)
    },
  )

  test.each([7, {}, huge, 'a\u0000b', { id: 7 }])(
    'a payment called %j is known by its session',
    async (payment_intent) => {
      const booking = await booked('svc_paid')
      const session = await checkout(booking)
      expect((await stripe.notify(shop, PAID, { ...stripe.pay(session), payment_intent })).status).toBe(200)
      expect(await now(booking)).toMatchObject({ status: 'confirmed', payment: { transaction_id: session.id } })
    },
  )
})

describe('a notification is refused', () => {
  const forgeries: [string, (at: number, body: string) => object][] = [
    ['that is signed with another secret', () => ({ secret: 'whsec_other' })],
    ['that was signed six minutes ago', (at) => ({ signedAt: at - 360 })],
    ['that is not signed', () => ({ signature: '' })],
    ['whose signature is of another scheme', (at) => ({ signature: `t=${at},v0=${'0'.repeat(64)}` })],
    ['whose signature has no time', () => ({ signature: `v1=${'0'.repeat(64)}` })],
    ['whose body was changed', (_, body) => ({ body: body.replace('"amount_total":8250', '"amount_total":8251') })],
    ['that says nothing', () => ({ body: '' })],
  ]
  test.each(forgeries)('%s', async (_, forge) => {
    const booking = await booked('svc_paid')
    const session = stripe.pay({ ...(await checkout(booking)) })
    const at = shop.time.now.getTime() / 1000
    const sent = JSON.stringify({ id: 'evt_1', object: 'event', type: PAID, data: { object: session } })
    const answer = await stripe.notify(shop, PAID, session, forge(at, sent))
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request'])
    expect(await now(booking)).toMatchObject({ status: 'requires_action', revision: booking.revision })
  })

  test('four minutes old it is still taken', async () => {
    const booking = await booked('svc_paid')
    const session = stripe.pay(await checkout(booking))
    await stripe.notify(shop, PAID, session, { signedAt: shop.time.now.getTime() / 1000 - 240 })
    expect(await now(booking)).toMatchObject({ status: 'confirmed' })
  })

  test('where no payments are taken through Stripe', async () => {
    const answer = await stripe.notify({ ...shop, ...(await testServer()) }, PAID, {})
    expect(answer.status).toBe(404)
  })
})
