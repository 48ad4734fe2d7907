import { expect, test } from 'vitest'
import { pageUrl } from '../../src/domain/bookings/booking-page-links.ts'
import type { BookingRecord } from '../../src/domain/bookings/booking-row.ts'
import { languages } from '../../src/infra/i18n/languages.ts'
import { toldShop } from '../events/told-shop.ts'
import { restDesk } from '../support/desk.ts'
import { START } from '../support/server.ts'
import { browser, linkIn, pathOf, studio } from './shop.ts'

const shop = await toldShop(studio({ mails: { platform_buyers: 'all' } }), {
  env: { BASE_URL: 'https://book.example', SMTP_URL: 'smtps://mail.example', MAIL_FROM: 'book@studio.example' },
})
const { db, tag } = shop.runtime
const desk = restDesk(shop)
const page = browser(shop)

const SAID = 'You confirmed that you will be there.'

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects and fails where it is not
type Booking = any

async function booked(service = 'svc_free'): Promise<Booking> {
  shop.time.now = START
  return (await desk.book((await desk.slots(service)).at(-1))).data.booking
}
const attendUrl = ({ id }: Booking, record = {}) => pageUrl('https://book.example', tag, { id, record }, 'attend')
const stored = async ({ id }: Booking) => {
  const found = await db.selectFrom('bookings').select(['record', 'revision']).where('id', '=', id).executeTakeFirst()
  return { attending: (found?.record as unknown as BookingRecord | undefined)?.attending, revision: found?.revision }
}
const attendedChanges = async ({ id }: Booking) =>
  db
    .selectFrom('changes')
    .select(['actor', 'from_status', 'to_status'])
    .where('subject', '=', `booking ${id}`)
    .where('action', '=', 'attend')
    .execute()

test('[a buyer confirms to come] with one press on the page of the link; opening the page changes nothing', async () => {
  const booking = await booked()
  const url = attendUrl(booking)
  expect(linkIn((await page.open(booking.booking_url)).body, 'attend')).toBe(url)
  const before = await stored(booking)
  const opened = await page.open(url)
  expect(opened.status).toBe(200)
  expect(opened.body).toContain('<h1>Will you be there?</h1>')
  expect(opened.body.match(/<form method="post">/g)).toHaveLength(1)
  expect(opened.body).toContain('Service svc_free')
  expect(linkIn(opened.body, 'manage')).toBe(`https://book.example${pathOf(booking.booking_url)}`)
  expect(await stored(booking)).toEqual(before)

  const sent = await page.send(url)
  expect([sent.status, sent.headers.location]).toEqual([303, pathOf(booking.booking_url)])
  expect(await stored(booking)).toMatchObject({ attending: START.toISOString() })
  const { body } = await page.open(booking.booking_url)
  expect(body).toContain(SAID)
  expect(linkIn(body, 'attend')).toBeUndefined()
  // The change sends no mail, so the page does not promise a confirmation by mail.
  expect(body).not.toContain('We will email a confirmation')
  expect(body).toContain('We will email a reminder')
})

test('[a buyer confirms to come] once, however often the button is pressed', async () => {
  const booking = await booked()
  const url = attendUrl(booking)
  const answers = await Promise.all([1, 2, 3].map(() => page.send(url)))
  expect(answers.map(({ status }) => status)).toEqual([303, 303, 303])
  const first = await stored(booking)
  shop.minutesLater(5)
  expect((await page.send(url)).status).toBe(303)
  expect((await page.open(url)).headers.location).toBe(pathOf(booking.booking_url))
  expect(await stored(booking)).toEqual(first)
  expect(await attendedChanges(booking)).toEqual([{ actor: 'buyer', from_status: 'confirmed', to_status: 'confirmed' }])
})

test('[a buyer confirms to come] the platform gets no event, and no new member in its booking', async () => {
  const booking = await booked()
  await shop.told()
  const before = (await desk.get(booking.id)).data.booking
  await page.send(attendUrl(booking))
  expect(await shop.told()).toEqual([])
  const { revision, updated_at, ...after } = (await desk.get(booking.id)).data.booking
  expect({ ...after, revision: before.revision, updated_at: before.updated_at }).toEqual(before)
  expect(revision).not.toBe(before.revision)
  expect(Date.parse(updated_at)).toBeGreaterThan(Date.parse(before.updated_at))
})

test('[a confirmation to come] ends when the booking moves to another time, and can be given for the new time', async () => {
  const booking = await booked()
  const url = attendUrl(booking)
  await page.send(url)
  const [slot] = await desk.slots('svc_free')
  expect((await desk.reschedule(booking.id, slot)).data.booking.slot.start).toBe(slot.start)
  expect((await stored(booking)).attending).toBeUndefined()
  const { body } = await page.open(booking.booking_url)
  expect(body).not.toContain(SAID)
  expect(linkIn(body, 'attend')).toBe(url)
  shop.minutesLater(1)
  await page.send(url)
  expect((await stored(booking)).attending).toBe(shop.time.now.toISOString())
})

test('[a confirmation to come] stays when details of the booking change', async () => {
  const booking = await booked()
  await page.send(attendUrl(booking))
  await desk.update(booking.id, { notes: 'Ring the bell' })
  expect((await stored(booking)).attending).toBe(START.toISOString())
})

test.each([
  ['that waits for the business', 'svc_asked', async () => {}],
  ['with steps to complete', 'svc_paid', async () => {}],
  ['that is canceled', 'svc_free', async ({ id }: Booking) => desk.cancel(id)],
  [
    'that has begun',
    'svc_free',
    async ({ slot }: Booking) => {
      shop.time.now = new Date(slot.start)
    },
  ],
  [
    'whose buyer is there',
    'svc_free',
    async ({ id }: Booking) => desk.call('usp_business_bookings_start', { booking_id: id }, { as: shop.staff }),
  ],
])('[a booking %s] cannot be confirmed to be attended', async (_, service, act) => {
  const booking = await booked(service)
  await act(booking)
  const before = await stored(booking)
  const { body } = await page.open(booking.booking_url)
  expect(linkIn(body, 'attend')).toBeUndefined()
  const url = attendUrl(booking)
  expect((await page.open(url)).headers.location).toBe(pathOf(booking.booking_url))
  expect((await page.send(url)).status).toBe(303)
  expect(await stored(booking)).toEqual(before)
  expect(before.attending).toBeUndefined()
})

test('[a canceled booking] does not say any more that its buyer will be there', async () => {
  const booking = await booked()
  await page.send(attendUrl(booking))
  await desk.cancel(booking.id)
  expect((await page.open(booking.booking_url)).body).not.toContain(SAID)
})

test('[a confirmation to come] is refused to another site, another secret, and a renewed link', async () => {
  const booking = await booked()
  const url = attendUrl(booking)
  expect((await page.send(url, {}, { origin: 'https://evil.example' })).status).toBe(403)
  const others = [
    `${url.slice(0, -1)}${url.endsWith('A') ? 'B' : 'A'}`,
    booking.booking_url.replace('/manage/', '/attend/'),
    attendUrl(booking, { links_renewed: 1 }),
  ]
  for (const other of others) {
    expect((await page.open(other)).status).toBe(404)
    expect((await page.send(other)).status).toBe(404)
  }
  expect((await stored(booking)).attending).toBeUndefined()
})

test('[the page that asks whether the buyer comes] is in the language of its reader', async () => {
  const url = attendUrl(await booked())
  const buttons = Object.keys(languages).map(async (lang) => {
    const { body } = await page.open(`${url}?lang=${lang}`)
    return /<form method="post"><button>([^<]+)</.exec(body)?.[1]
  })
  const said = await Promise.all(buttons)
  expect(said).not.toContain(undefined)
  expect(new Set(said).size).toBe(Object.keys(languages).length)
})
