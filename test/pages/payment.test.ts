import { describe, expect, test } from 'vitest'
import { pageUrl } from '../../src/domain/bookings/booking-page-links.ts'
import { withDeposit } from '../bookings/shop.ts'
import { restDesk, testShop } from '../support/desk.ts'
import { browser, continueUrl, studio } from './shop.ts'

const definition = studio({ payments: { tax: { percent: 10, included: false }, window: 'PT15M' } })
const cheap = { ...withDeposit('fixed', 3000), id: 'svc_cheap', name: 'Massage', price_rules: [{ amount: 2000 }] }
const shop = await testShop({ ...definition, services: [...definition.services, cheap] })
const desk = restDesk(shop)
const page = browser(shop)

const RETURN = {
  url: 'https://platform.example/back?keep=%7Bthis%7D&and+that#there',
  params: { session: 'a b&c=d', 'ü[]': '100%' },
}
const HOME = 'https://platform.example/back?keep=%7Bthis%7D&and+that&session=a%20b%26c%3Dd&%C3%BC%5B%5D=100%25#there'

async function booked(more: Record<string, unknown> = {}, service = 'svc_paid') {
  const slots = await desk.slots(service)
  const { booking } = (await desk.book(slots[0], more)).data
  return { ...booking, page: continueUrl(booking, 'payment') }
}
const bought = { post_payment_return_request: RETURN }

describe('where the staff take the money', () => {
  test('the page tells what is due line by line, until when, and how to pay', async () => {
    const booking = await booked()
    const { status, body } = await page.open(booking.page)
    expect(status).toBe(200)
    expect(body).toContain('<h1>Pay $82.50</h1>')
    const lines = [...body.matchAll(/<th scope="row">([^<]*)<\/th><td>([^<]*)<\/td>/g)].map(([, ...line]) => line)
    expect(lines).toEqual([
      ['Service svc_paid (60 min)', '$75.00'],
      ['Tax', '$7.50'],
      ['Due now', '$82.50'],
    ])
    expect(body.replace(/\s/g, ' ')).toContain('Your spot is held until')
    expect(body).toContain('To pay, contact Test Studio and give the reference')
    expect((await page.send(booking.page)).status).toBe(303)
    expect((await desk.get(booking.id)).data.booking.revision).toBe(booking.revision)
  })

  test('[LIV-079] the page names amount, service, date, time and business, and completes nothing by itself', async () => {
    const booking = await booked()
    expect(booking.slot.start).toMatch(/T10:00/)
    const { body } = await page.open(booking.page)
    const text = body.replace(/<style[\s\S]*?<\/style>|<[^>]*>/g, ' ').replace(/[\s\u202f\u00a0]+/g, ' ')
    const { slot, service_name } = booking
    const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'America/New_York' })
    for (const part of [
      '$82.50',
      service_name,
      day.format(new Date(slot.start)),
      '10:00 – 11:00 AM EST',
      'Test Studio',
    ])
      expect(text).toContain(part)
    expect(body).not.toMatch(/<script(?![^>]*src=)/)
    for (let time = 0; time < 3; time++) await page.open(booking.page)
    expect((await desk.get(booking.id)).data.booking).toMatchObject({
      status: 'requires_action',
      revision: booking.revision,
    })
  })

  test('a deposit is what is due', async () => {
    const { body } = await page.open((await booked({}, 'svc_deposit')).page)
    expect(body).toContain('<h1>Pay $30.00</h1>')
    expect(body).toContain('$30.00 deposit')
    expect(body).toContain('once you have paid the deposit. The rest, $79.99, is due at your appointment.')
  })

  test('[a deposit is called one] once it is in, and the rest is said as long as it is to be paid', async () => {
    const booking = await booked({}, 'svc_deposit')
    await desk.call('usp_business_bookings_mark_paid', { booking_id: booking.id }, { as: shop.staff })
    const { body } = await page.open(booking.page)
    expect(body).toContain('<h1>Deposit received</h1>')
    expect(body).toContain('The rest, $79.99, is due at your appointment.')
    const own = (await page.open(booking.booking_url)).body
    expect(own).toContain('<dt>Due at your appointment</dt><dd>$79.99</dd>')
    expect(own).toContain('<th scope="row">Due at your appointment</th><td>$79.99</td>')
    await desk.cancel(booking.id)
    expect((await page.open(booking.booking_url)).body).not.toContain('Due at your appointment')
  })

  test('[PAY-010] a deposit above the price is called a price, before and after the payment', async () => {
    const booking = await booked({}, 'svc_cheap')
    const { body } = await page.open(booking.page)
    const lines = [...body.matchAll(/<th scope="row">([^<]*)<\/th><td>([^<]*)<\/td>/g)].map(([, ...line]) => line)
    expect(lines).toEqual([
      ['Massage (60 min)', '$20.00'],
      ['Tax', '$2.00'],
      ['Due now', '$22.00'],
    ])
    await desk.call('usp_business_bookings_mark_paid', { booking_id: booking.id }, { as: shop.staff })
    const [paid, own] = [await page.open(booking.page), await page.open(booking.booking_url)]
    expect(paid.body).toContain('<h1>Payment received</h1>')
    expect(own.body).toContain('$22.00')
    for (const { body: text } of [{ body }, paid, own]) {
      expect(text).not.toContain('deposit')
      expect(text).not.toContain('Due at your appointment')
    }
  })

  test('the page says that the payment is not noted yet, and sees it when it is', async () => {
    const booking = await booked(bought)
    const asked = await page.open(`${booking.page}/done`)
    expect([asked.status, asked.body.includes('Your payment has not arrived yet.')]).toEqual([200, true])
    await desk.call('usp_business_bookings_mark_paid', { booking_id: booking.id }, { as: shop.staff })
    expect((await page.open(`${booking.page}/done`)).headers.location).toBe(HOME)
  })
})

test('a shop that wants cards but has no account at Stripe yet takes the money itself', async () => {
  const other = await testShop(studio({ payments: { provider: 'stripe' } }))
  const { booking } = (await restDesk(other).book((await restDesk(other).slots('svc_paid'))[0])).data
  const url = continueUrl(booking, 'payment')
  expect((await browser(other).open(url)).body).toContain('To pay, contact Test Studio')
  expect((await browser(other).send(url)).status).toBe(303)
})

describe('[PAY-033] the address of a payment that is over', () => {
  test('says that it is paid, and takes nothing more', async () => {
    const booking = await booked()
    await desk.pay(booking)
    const { status, body } = await page.open(booking.page)
    expect(status).toBe(200)
    expect(body).toContain('<h1>Payment received</h1>')
    expect(body).toContain('<dt>Paid</dt><dd>$82.50</dd>')
    expect(body).not.toContain('Due now')
    expect(body).not.toContain('<form')
  })

  test('says that the booking was canceled, and what goes back', async () => {
    const booking = await booked()
    await desk.pay(booking)
    await desk.cancel(booking.id)
    const { status, body } = await page.open(booking.page)
    expect(status).toBe(410)
    expect(body).toContain('$82.50 will be refunded')
    expect(body).not.toContain('<form')
  })
})

test('[PAY-032] after its time the page says that the payment has expired, and leads back', async () => {
  const booking = await booked(bought)
  shop.minutesLater(15)
  const { status, body } = await page.open(booking.page)
  expect(status).toBe(410)
  expect(body).toContain('<h1>This link has expired</h1>')
  expect(body).toContain('Please do not pay.')
  expect(body).toContain('>Back to platform.example</a>')
  expect(body).not.toContain('<form')
})

test('a payment that waits for the approval of the business is not asked for yet', async () => {
  const slots = await desk.slots('svc_asked')
  const { booking } = (await desk.book(slots[0])).data

  const { status, body } = await page.open(
    pageUrl(shop.runtime.config.baseUrl, shop.runtime.tag, { id: booking.id, record: {} }, 'payment'),
  )
  expect([status, body.includes('<h1>Not confirmed yet</h1>')]).toEqual([200, true])
})

const LINK = `href="${HOME.replaceAll('&', '&amp;')}" rel="noreferrer" target="_top">Back to platform.example</a>`

describe('the browser goes back to where the platform wants it, by GET', () => {
  const outcomes: [string, string, (booking: { id: string }) => Promise<unknown>, string][] = [
    ['[PAY-054]', 'is paid', (booking) => desk.pay(booking), 'done'],
    ['[PAY-054]', 'is paid, and left', (booking) => desk.pay(booking), 'back'],
    ['[PAY-054]', 'failed, its time being up', async () => shop.minutesLater(16), 'done'],
    ['[PAY-055]', 'was canceled with the booking', ({ id }) => desk.cancel(id), 'done'],
    ['[PAY-055]', 'is left undone', async () => {}, 'back'],
    ['[PAY-055]', 'is left after the booking was canceled', ({ id }) => desk.cancel(id), 'back'],
    [
      '[PAY-055]',
      'is left after the paid booking was canceled',
      async (booking) => {
        await desk.pay(booking)
        await desk.cancel(booking.id)
      },
      'back',
    ],
  ]
  test.each(outcomes.slice(0, 2))('%s [PAY-056] by a redirect when the payment %s', async (_, __, outcome, way) => {
    const booking = await booked(bought)
    await outcome(booking)
    const answer = await page.open(`${booking.page}/${way}`)
    expect([answer.status, answer.headers.location]).toEqual([303, HOME])
  })

  test.each(outcomes.slice(2))(
    '%s [PAY-056] [no open redirect] by a link when the payment %s',
    async (_, __, outcome, way) => {
      const booking = await booked(bought)
      await outcome(booking)
      const answer = await page.open(`${booking.page}/${way}`)
      expect(answer.headers).not.toHaveProperty('location')
      expect([200, 410]).toContain(answer.status)
      expect(answer.body).toContain(LINK)
    },
  )

  test.each(outcomes)(
    '[PAY-057] and stays with the business without such a wish: %s when it %s',
    async (_, __, outcome, way) => {
      const booking = await booked()
      await outcome(booking)
      const answer = await page.open(`${booking.page}/${way}`)
      expect(answer.headers).not.toHaveProperty('location')
      expect([200, 410]).toContain(answer.status)
      expect(answer.body).toContain('<h1>')
      expect(answer.body).not.toContain('Back to')
    },
  )

  test.each(['__proto__', 'constructor', 'toString', 'away'])('there is no way back called %s', async (way) => {
    expect((await page.open(`${(await booked(bought)).page}/${way}`)).status).toBe(404)
  })

  test('[PAY-055] leaving keeps the booking: the buyer may come again and pay', async () => {
    const booking = await booked(bought)
    expect((await page.open(booking.page)).body).toContain(LINK)
    await page.open(`${booking.page}/back`)
    expect((await desk.get(booking.id)).data.booking).toMatchObject({ status: 'requires_action' })
    expect((await page.open(booking.page)).body).toContain('<h1>Pay $82.50</h1>')
  })
})

describe('[PAY-056] the way back', () => {
  test.each([
    ['has no query when none is given', { url: 'https://p.example/x' }, 'https://p.example/x'],
    [
      'has the parameters alone',
      { url: 'https://p.example/x', params: { a: '1', b: '' } },
      'https://p.example/x?a=1&b=',
    ],
    ['keeps a query without parameters', { url: 'https://p.example/?a=1&a=2' }, 'https://p.example/?a=1&a=2'],
    [
      'adds a name that is there already',
      { url: 'https://p.example/?a=1', params: { a: '2' } },
      'https://p.example/?a=1&a=2',
    ],
    [
      'has values that read as they were sent',
      { url: 'https://p.example/', params: { state: 'x+y/z==&{"é":"✓"}' } },
      'https://p.example/?state=x%2By%2Fz%3D%3D%26%7B%22%C3%A9%22%3A%22%E2%9C%93%22%7D',
    ],
  ] as [string, { url: string; params?: Record<string, string> }, string][])('%s', async (_, wish, expected) => {
    const booking = await booked({ post_payment_return_request: wish })
    await desk.pay(booking)
    const { location = '' } = (await page.open(`${booking.page}/done`)).headers
    expect(location).toBe(expected)
    for (const [name, value] of Object.entries(wish.params ?? {}))
      expect(new URL(location).searchParams.getAll(name)).toContain(value)
  })

  test.each(['https://platform.example:99999/', 'HTTPS://[::/', 'http://platform.example/'])(
    '[PAY-059] is not to %s, which no browser can open safely',
    async (url) => {
      const [slot] = await desk.slots('svc_paid')
      const said = await desk.book(slot, { post_payment_return_request: { url } })
      expect(said.code).toBe('validation_error')
      expect(said.data).not.toHaveProperty('booking')
    },
  )
})
