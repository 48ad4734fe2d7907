import { expect, test } from 'vitest'
import { referenceOf } from '../../src/domain/bookings/booking-response.ts'
import type { BusinessDefinition } from '../../src/protocol/types.generated.ts'
import { type Desk, restDesk, testShop } from '../support/desk.ts'
import { browser, continueUrl, linkIn, studio } from './shop.ts'

const HOSTILE = 'Come by.\n<script>alert("x")</script>'
const base = studio()
const definition: BusinessDefinition = {
  ...base,
  business: { ...base.business, language: 'sv' },
  payments: {
    provider: 'manual',
    manual: {
      how: HOSTILE,
      bank_transfer: { account_holder: 'Studio & Co', iban: 'DE02120300000000202051' },
      phone: true,
    },
  },
  website: { contact: { phone: '+12125550143', email: 'hello@studio.example' } },
}
const shop = await testShop(definition)
const desk = restDesk(shop)
const page = browser(shop)

async function booked() {
  const [slot] = await desk.slots('svc_paid')
  const { booking } = (await desk.book(slot)).data
  return { ...booking, page: continueUrl(booking, 'payment') }
}
const claims = ({ id }: { id: string }) =>
  shop.runtime.db
    .selectFrom('changes')
    .select(['actor', 'action'])
    .where('subject', '=', `booking ${id}`)
    .where('action', '=', 'claim_payment')
    .execute()
const SAID = 'Thanks. Test Studio will check your payment; your booking is confirmed once they have.'

test('says how to pay in the words of the business, to which account, by which reference, and by phone', async () => {
  const booking = await booked()
  const { body } = await page.open(booking.page)
  expect(body).toContain('<p class="text" dir="auto" lang="sv">Come by.\n&lt;script&gt;')
  const rows = [...body.matchAll(/<dt>([^<]*)<\/dt><dd>([^<]*)<\/dd>/g)].map(([, ...row]) => row)
  expect(rows).toContainEqual(['Account holder', 'Studio &amp; Co'])
  expect(rows).toContainEqual(['Reference', referenceOf(booking)])
  expect(rows).toContainEqual(['Amount', '$75.00'])
  expect(body).toContain('href="tel:+12125550143"')
  expect(body.replace(/\s/g, ' ')).toContain('Your spot is held until')
  expect(body).not.toContain(SAID)
})

test.each([
  ['an account', { bank_transfer: { account_holder: 'Studio & Co', iban: 'DE02120300000000202051' } }, false],
  ['no account', {}, true],
])(
  'how to reach the business stands below how to pay only where there is no account: %s',
  async (_, manual, isShown) => {
    const other = await testShop({
      ...definition,
      payments: { provider: 'manual', manual: { how: 'Come by.', ...manual } },
    })
    const { booking } = (await restDesk(other).book((await restDesk(other).slots('svc_paid'))[0])).data
    const { body } = await browser(other).open(continueUrl(booking, 'payment'))
    const [, links = ''] = /<ul class="reach">(.*?)<\/ul>/s.exec(body) ?? []
    expect([...links.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual(
      isShown ? ['tel:+12125550143', 'mailto:hello@studio.example'] : [],
    )
    expect(body.includes('<dl>')).toBe(!isShown)
    expect(body.includes('<dt>IBAN</dt>')).toBe(!isShown)
  },
)

test('[the staff are told once] that the buyer says to have paid, and the page never says that it has come in', async () => {
  const booking = await booked()
  const answers = await Promise.all([1, 2, 3].map(() => page.send(booking.page, { do: 'claim' })))
  expect(answers.map(({ status }) => status)).toEqual([303, 303, 303])
  expect(await claims(booking)).toEqual([{ actor: 'buyer', action: 'claim_payment' }])
  const { body } = await page.open(booking.page)
  expect(body).toContain(SAID)
  expect(body).toContain('<h1>Payment reported</h1>')
  // How to pay stays there for those who look, below the line.
  expect(body).toMatch(/<details><summary>How to pay<\/summary>.*DE02120300000000202051.*<\/details>/s)
  expect(body).not.toContain('<form')
  expect(body).not.toContain('Due now')
  expect(body).not.toContain('Payment received')
  expect((await desk.get(booking.id)).data.booking).toMatchObject({
    status: 'requires_action',
    payment: { status: 'pending' },
  })
  await desk.call('usp_business_bookings_mark_paid', { booking_id: booking.id }, { as: shop.staff })
  expect((await page.open(booking.page)).body).toContain('<h1>Payment received</h1>')
})

test('[who says to have paid] still reads until when, and is led back to the booking in the browser that had it open', async () => {
  const booking = await booked()
  const { headers } = await page.open(booking.booking_url)
  const cookie = String(headers['set-cookie']).split(';')[0] ?? ''
  await page.send(booking.page, { do: 'claim' })
  const { body } = await page.open(booking.page, { cookie })
  expect(body).toMatch(/Your spot is held until [^<]*\. If Test Studio does not find your payment by then/)
  expect(linkIn(body, 'manage')).toBeDefined()
  expect(linkIn((await page.open(booking.page)).body, 'manage')).toBeUndefined()
  expect((await page.open(booking.booking_url)).body).toMatch(/will check your payment[^<]* Your spot is held until/)
})

test('[a transfer that fills itself in] is there where euros are paid to an account', async () => {
  expect((await page.open((await booked()).page)).body).not.toContain('<svg class="code"')
  const services = base.services.map((one) => ({ ...one, pricing: { ...one.pricing, currency: 'EUR' } }))
  const euros = await testShop({ ...definition, business: { ...definition.business, currency: 'EUR' }, services })
  const { booking } = (await restDesk(euros).book((await restDesk(euros).slots('svc_paid'))[0])).data
  const { body } = await browser(euros).open(continueUrl(booking, 'payment'))
  expect(body).toMatch(/<svg class="code" role="img" aria-label="Or scan this code with your banking app[^"]*"/)
})

test('[a transfer takes days] there are three, at most until the start; a day where there is no account', async () => {
  const DAY = 24 * 60 * 60 * 1000
  const left = async (desk: Desk) => {
    const slots = await desk.slots('svc_paid', { start_date: '2026-12-01', end_date: '2026-12-01' })
    const { booking } = (await desk.book(slots[0])).data
    return Date.parse(booking.expires_at) - Date.parse(booking.created_at)
  }
  expect(await left(desk)).toBe(3 * DAY)
  const soon = await booked()
  expect(Date.parse(soon.expires_at)).toBeLessThanOrEqual(Date.parse(soon.slot.start))
  const other = await testShop({ ...definition, payments: { provider: 'manual', manual: { phone: true } } })
  expect(await left(restDesk(other))).toBe(DAY)
})

test('a form from another site, to another secret, or after the time tells nobody', async () => {
  const booking = await booked()
  expect((await page.send(booking.page, { do: 'claim' }, { origin: 'https://evil.example' })).status).toBe(403)
  expect((await page.send(booking.booking_url.replace('/manage/', '/payment/'), { do: 'claim' })).status).toBe(404)
  expect((await page.send(booking.page, { do: '<script>' })).status).toBe(303)
  shop.minutesLater(73 * 60)
  expect((await page.send(booking.page, { do: 'claim' })).status).toBe(303)
  expect(await claims(booking)).toEqual([])
  expect((await page.open(booking.page)).status).toBe(410)
})
