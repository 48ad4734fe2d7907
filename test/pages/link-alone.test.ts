import { expect, test } from 'vitest'
import { PAGES } from '../../src/domain/bookings/booking-page-links.ts'
import { restDesk, testShop } from '../support/desk.ts'
import { browser, continueUrl, linkIn, pathOf, studio } from './shop.ts'

const shop = await testShop(studio(), { env: { BASE_URL: 'https://book.example' } })
const desk = restDesk(shop)
const page = browser(shop)

async function booked(service = 'svc_all') {
  const [slot] = await desk.slots(service)
  return (await desk.book(slot)).data.booking
}
const linksOn = (body: string, but: string) => PAGES.filter((one) => one !== but && linkIn(body, one) !== undefined)
const cookieOf = (headers: Record<string, unknown>) => String(headers['set-cookie'] ?? '').split(';')[0] ?? ''

test('[a link for paying opens payment alone] whoever has nothing but that is led nowhere else, whatever becomes of it', async () => {
  const booking = await booked('svc_all')
  const url = continueUrl(booking, 'payment')
  const open = await page.open(url)
  expect(open.body).toContain('Service svc_all')
  expect(linksOn(open.body, 'payment')).toEqual([])
  expect(open.headers).not.toHaveProperty('set-cookie')
  await desk.pay(booking)
  expect(linksOn((await page.open(url)).body, 'payment')).toEqual([])
  await desk.cancel(booking.id)
  const over = await page.open(url)
  expect([over.status, linksOn(over.body, 'payment')]).toEqual([410, []])
})

test('the other tasks lead to what is left to do, and not to where the booking can be canceled', async () => {
  const booking = await booked()
  const url = continueUrl(booking, 'waiver')
  expect(linksOn((await page.open(url)).body, 'waiver')).toEqual(['intake', 'payment'])
  await page.send(url)
  expect(linksOn((await page.open(url)).body, 'waiver')).toEqual(['intake', 'payment'])
})

test('a browser that has had the page of the booking open is led back there, and to all that is left', async () => {
  const booking = await booked()
  const { headers } = await page.open(booking.booking_url)
  expect(headers['set-cookie']).toBe(
    `${cookieOf(headers)}; Path=/booking/${booking.id}; HttpOnly; SameSite=None; Secure; Partitioned`,
  )
  const cookie = cookieOf(headers)
  const url = continueUrl(booking, 'payment')
  expect(linksOn((await page.open(url, { cookie })).body, 'payment')).toEqual(['manage', 'waiver', 'intake'])
  await desk.pay(booking)
  expect(linksOn((await page.open(url, { cookie })).body, 'payment')).toEqual(['manage', 'waiver', 'intake'])
  await page.send(continueUrl(booking, 'waiver'))
  const last = continueUrl(booking, 'intake')
  await page.send(last, { allergies: 'None' })
  for (const done of [url, last]) {
    expect((await page.open(done, { cookie })).body).toContain('/calendar.ics')
    expect((await page.open(done)).body).not.toContain('/calendar.ics')
  }
})

test('the mark of a browser opens nothing, and is of no use for another booking', async () => {
  const [one, other] = [await booked(), await booked()]
  const cookie = cookieOf((await page.open(one.booking_url)).headers)
  const [, mark = ''] = cookie.split('=')
  expect(pathOf(one.booking_url)).not.toContain(mark)
  for (const name of PAGES)
    expect((await page.open(`https://book.example/booking/${one.id}/${name}/${mark}`)).status).toBe(404)
  const url = continueUrl(other, 'payment')
  for (const wrong of [cookie, 'usp_booking=', `usp_booking=${'x'.repeat(3_000)}`, 'usp_booking=é<script>'])
    expect(linksOn((await page.open(url, { cookie: wrong })).body, 'payment')).toEqual([])
})
