import { describe, expect, test } from 'vitest'
import { paidShop } from '../payments/shop.ts'

const { shop, stripe, page, booked, now, checkout, pay, bookedAndPaid } = await paidShop()

/** The text that a buyer reads on a page. */
const textOf = (body: string) =>
  body.replace(/<style[\s\S]*?<\/style>|<[^>]*>/g, ' ').replace(/[\s\u202f\u00a0]+/g, ' ')

describe('the button of the payment page', () => {
  test('[LIV-079] stands below amount, service, date, time and business, and the page asks the provider for nothing', async () => {
    const booking = await booked('svc_paid')
    const before = stripe.asked.length
    const { body } = await page.open(booking.page)
    const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'America/New_York' })
    const time = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit', timeZone: 'America/New_York' })
    const start = new Date(booking.slot.start)
    const [hour = ''] = time.format(start).split(/\s/)
    for (const part of ['$82.50', booking.service_name, day.format(start), hour, 'Test Studio'])
      expect(textOf(body)).toContain(part)
    expect(stripe.asked.length).toBe(before)
    expect((await now(booking)).status).toBe('requires_action')
  })

  test('leads to a checkout of exactly what is due', async () => {
    const booking = await booked('svc_paid')
    const shown = await page.open(booking.page)
    // A provider's page is shown in no frame.
    const form = `<form method="post" action="${new URL(booking.page).pathname}" target="_top">`
    expect(shown.body).toContain(`${form}<button>Pay by card</button></form>`)
    expect(shown.headers['content-security-policy']).toContain("form-action 'self' https:")
    const before = stripe.asked.length
    const session = await checkout(booking)
    expect(session).toMatchObject({ amount_total: booking.payment.amount_due, currency: 'usd' })
    const [asked, ...more] = stripe.asked.slice(before)
    expect(more).toEqual([])
    expect(asked?.idempotencyKey).toBe(session.client_reference_id)
    expect(asked?.params).toMatchObject({
      mode: 'payment',
      'allowed_payment_method_types[0]': 'card',
      'line_items[0][price_data][unit_amount]': '7500',
      'line_items[0][price_data][product_data][name]': 'Service svc_paid (60 min)',
      'line_items[1][price_data][product_data][name]': 'Tax',
      'line_items[1][price_data][unit_amount]': '750',
      success_url: `${booking.page}/done?lang=en`,
      cancel_url: `${booking.page}/back?lang=en`,
    })
    expect(JSON.stringify(asked?.params)).not.toContain('alice')
  })

  test.each([
    ['de', 'de', 'Leistung svc_paid', 'Steuern'],
    ['ar', 'auto', 'Service svc_paid', 'الضريبة'],
  ])('says there what is paid for in the language of who pays: %s', async (language, locale, service, tax) => {
    const definition = await shop.runtime.business.get()
    if (!definition) throw new Error('There is no business')
    const named = (name: string) => ({ localized: { name: { de: name } } })
    const services = definition.services.map((one) => ({ ...one, ...named(`Leistung ${one.id}`) }))
    await shop.apply({ ...definition, services })
    await shop.runtime.business.seenBy(shop.runtime.db)
    const booking = await booked('svc_paid')
    const before = stripe.asked.length
    await page.send(booking.page, {}, { 'accept-language': language })
    expect(stripe.asked[before]?.params).toMatchObject({
      locale,
      'payment_intent_data[description]': service,
      'line_items[0][price_data][product_data][name]': `${service} (60 min)`,
      'line_items[1][price_data][product_data][name]': tax,
    })
    await shop.apply(definition)
    await shop.runtime.business.seenBy(shop.runtime.db)
  })

  test('leads to the same checkout when it is pressed twice, at once or later', async () => {
    const booking = await booked('svc_paid')
    const before = stripe.sessions.length
    const both = await Promise.all([page.send(booking.page), page.send(booking.page)])
    const later = await page.send(booking.page)
    const [address] = new Set([...both, later].map(({ headers }) => headers.location))
    expect(both.map(({ headers }) => headers.location)).toEqual([address, address])
    expect(later.headers.location).toBe(address)
    expect(stripe.sessions.length - before).toBe(1)
  })

  test('leads to a new checkout when the first has ended', async () => {
    const booking = await booked('svc_paid')
    const first = await checkout(booking)
    Object.assign(first, { status: 'expired', url: null })
    expect((await checkout(booking)).id).not.toBe(first.id)
  })

  test('asks once more, and not for ever, when each checkout ends as it is opened', async () => {
    const booking = await booked('svc_paid')
    const { payments } = shop.runtime
    const named = payments.find
    const real = await named('stripe')
    let opened = 0
    payments.find = async () =>
      real && {
        ...real,
        async open(wish) {
          if (++opened > 5) throw new Error('It is asked for ever')
          return { reference: wish.id, status: 'closed', url: undefined, payment: undefined }
        },
      }
    const { status, headers } = await page.send(booking.page)
    payments.find = named
    expect([opened, status, headers.location]).toEqual([2, 303, new URL(booking.page).pathname])
  })

  test('leads back to the page when the booking was paid meanwhile', async () => {
    const booking = await booked('svc_paid')
    stripe.pay(await checkout(booking))
    const { status, headers } = await page.send(booking.page)
    expect([status, headers.location]).toEqual([303, new URL(booking.page).pathname])
    expect(await now(booking)).toMatchObject({ status: 'confirmed' })
  })

  test.each(['down', 'deaf'] as const)(
    'can be pressed again after Stripe was %s',
    async (mood) => {
      const booking = await booked('svc_paid')
      stripe.mood = mood
      const { status, body } = await page.send(booking.page)
      stripe.mood = 'well'
      expect(status).toBe(503)
      const said = shop.logged.filter((line) => line.includes('The payment provider opened no checkout for a booking.'))
      expect(said.filter((line) => line.includes(booking.id))).toHaveLength(1)
      expect(body).toContain('We cannot reach the payment service right now.')
      expect(body).toContain('Pay by card')
      // Nobody was told where to pay there, so that nobody ever will.
      const left = await shop.runtime.db
        .selectFrom('checkouts')
        .select('status')
        .where('booking_id', '=', booking.id)
        .execute()
      expect(left).toEqual([{ status: 'closed' }])
      const session = await checkout(booking)
      await pay(session)
      expect(await now(booking)).toMatchObject({ status: 'confirmed' })
    },
    30_000,
  )

  test('takes a deposit', async () => {
    const booking = await booked('svc_deposit')
    const session = await checkout(booking)
    expect(session.amount_total).toBe(3000)
    await pay(session)
    expect(await now(booking)).toMatchObject({
      status: 'confirmed',
      payment: { status: 'deposit_paid', amount_due: 0 },
    })
  })
})

describe('a checkout ends with the booking, as near as Stripe lets it', () => {
  test('not before half an hour', async () => {
    const session = await checkout(await booked('svc_paid'))
    const minutes = (session.expires_at - stripe.now()) / 60
    expect(minutes).toBeGreaterThanOrEqual(30)
    expect(minutes).toBeLessThan(32)
  })

  test.each([
    ['PT2H', 120],
    ['P3D', 24 * 60 - 1],
  ])('for a payment that may take %s after %d minutes', async (window, expected) => {
    const definition = await shop.runtime.business.get()
    if (!definition) throw new Error('There is no business')
    const other = await paidShop()
    await other.shop.apply({ ...definition, payments: { ...definition.payments, window } })
    const session = await other.checkout(await other.booked('svc_paid'))
    expect(Math.round((session.expires_at - other.stripe.now()) / 60)).toBe(expected)
  })
})

describe('the browser that comes back from Stripe', () => {
  const back = { post_payment_return_request: { url: 'https://platform.example/', params: { s: '1' } } }
  const HOME = 'https://platform.example/?s=1'

  test('[PAY-054] finds the booking paid though no notification has come, and goes on to the platform', async () => {
    const booking = await booked('svc_paid', back)
    const session = stripe.pay(await checkout(booking))
    const answer = await page.open(session.success_url)
    expect([answer.status, answer.headers.location]).toEqual([303, HOME])
    expect(await now(booking)).toMatchObject({
      status: 'confirmed',
      payment: { transaction_id: session.payment_intent },
    })
  })

  const isOfferedTheWayBack = ({ headers, body }: Awaited<ReturnType<typeof page.open>>) => {
    expect(headers).not.toHaveProperty('location')
    expect(body).toContain(`href="${HOME}" rel="noreferrer" target="_top">Back to platform.example</a>`)
  }

  test('[PAY-055] [no open redirect] is offered the way back when the buyer leaves the checkout', async () => {
    const session = await checkout(await booked('svc_paid', back))
    isOfferedTheWayBack(await page.open(session.cancel_url))
  })

  test('[PAY-054] [no open redirect] is offered the way back when it was paid too late', async () => {
    const booking = await booked('svc_paid', back)
    const session = await checkout(booking)
    shop.minutesLater(16)
    stripe.pay(session)
    isOfferedTheWayBack(await page.open(session.success_url))
    expect(await now(booking)).toMatchObject({ status: 'canceled' })
  })

  test('stays while nobody knows whether it is paid', async () => {
    const booking = await booked('svc_paid', back)
    const session = stripe.pay(await checkout(booking))
    stripe.mood = 'down'
    const { status, body } = await page.open(session.success_url)
    stripe.mood = 'well'
    expect(status).toBe(503)
    expect(body).toContain('Please do not pay again')
    expect((await page.open(session.success_url)).headers.location).toBe(HOME)
  })

  test('stays when nothing was paid', async () => {
    const session = await checkout(await booked('svc_paid', back))
    const { status, body } = await page.open(session.success_url)
    expect([status, body.includes('Your payment has not arrived yet.')]).toEqual([200, true])
  })

  test('[PAY-057] ends on the page of the business where no platform wants it back', async () => {
    const session = stripe.pay(await checkout(await booked('svc_paid')))
    const { status, body } = await page.open(session.success_url)
    expect([status, body.includes('<h1>Payment received</h1>')]).toEqual([200, true])
  })
})

test('[PAY-033] the page of a paid booking opens no checkout', async () => {
  const booking = await bookedAndPaid('svc_paid')
  const before = stripe.asked.length
  expect((await page.send(booking.page)).headers.location).toBe(new URL(booking.page).pathname)
  expect(stripe.asked.length).toBe(before)
})
