import { afterEach, describe, expect, test } from 'vitest'
import { entryUrl } from '../../src/domain/waitlist/entry-page-link.ts'
import { languages } from '../../src/infra/i18n/languages.ts'
import { maskedEmail } from '../../src/infra/util/email-address.ts'
import type { BusinessDefinition } from '../../src/protocol/types.generated.ts'
import { ROSA, visitor } from '../booking-flow/visitor.ts'
import { freshDatabase } from '../support/database.ts'
import { buyer, restDesk, type Shop, testShop } from '../support/desk.ts'
import { START, type TestServer, testServer } from '../support/server.ts'
import { AGREED, bookAtDesk } from '../texts/texting-shop.ts'
import { classOfOne, lineOf } from '../waitlist/queue.ts'
import { browser, continueUrl, studio } from './shop.ts'

const production = {
  TRUST_PROXY: '127.0.0.1',
  USP_MODE: 'production',
  DATABASE_URL: 'postgres://u@h/d',
  BASE_URL: 'https://book.example',
  USP_SECRET_KEY: 'x'.repeat(32),
}
const mailServer = { SMTP_URL: 'smtps://mail.example', MAIL_FROM: 'book@studio.example' }
const { services } = studio()

const open = (mails: NonNullable<BusinessDefinition['mails']>, databaseUrl = '') =>
  testShop(studio({ services: [...services, classOfOne], mails, authorization: { identity_linking: true } }), {
    env: { BASE_URL: production.BASE_URL, ...mailServer },
    databaseUrl,
  })

const databaseUrl = await freshDatabase()
const all = await open({ platform_buyers: 'all' }, databaseUrl)
const [needed, none] = await Promise.all([open({}), open({ platform_buyers: 'none' })])
/** The same business on a server that mails nothing. */
const silent = await testServer(undefined, { env: production, databaseUrl })

afterEach(() => {
  for (const { time } of [all, needed, none, silent]) time.now = START
})

const booked = async (shop: Shop, service: string, more = {}) => {
  const desk = restDesk(shop)
  return (await desk.book((await desk.slots(service)).at(-1), more)).data.booking
}

/** What a page says of mails, each sentence that names an address. */
const promisedIn = (body: string) =>
  [...body.matchAll(/[^<>.]*\*{3}@[a-z.]+\.[a-z]+[^<]*/g)].map(([text]) => text.trim())
/** As the proxy in front of a server in production hands it on. */
const opened = async (shop: TestServer, url: string, headers = {}): Promise<string> => {
  const { status, body } = await browser(shop).open(url, { 'x-forwarded-proto': 'https', ...headers })
  expect(status).toBe(200)
  return body
}
const promised = async (shop: TestServer, url: string, headers = {}) => promisedIn(await opened(shop, url, headers))

const CONFIRMED = 'We will email a confirmation to a***@example.com, and a reminder before your booking.'
const REMINDER = 'We will email a reminder to a***@example.com before your booking.'
const ANSWER = 'We will email the answer to a***@example.com.'
const ONCE_DONE = 'When everything is done, we will email a confirmation to a***@example.com.'

describe.each([
  ['svc_free', CONFIRMED, REMINDER],
  ['svc_asked', ANSWER, undefined],
  ['svc_paid', ONCE_DONE, undefined],
])('the page of a booking of %s', (service, words, ofTheNeeded) => {
  test('says what comes next by mail, and to which address', async () => {
    expect(await promised(all, (await booked(all, service)).booking_url)).toEqual([words])
  })

  test('promises nothing where nothing can be mailed', async () => {
    expect(await promised(silent, (await booked(all, service)).booking_url)).toEqual([])
  })

  test('promises whoever booked through a platform no more than is sent', async () => {
    expect(await promised(needed, (await booked(needed, service)).booking_url)).toEqual(
      ofTheNeeded === undefined ? [] : [ofTheNeeded],
    )
    expect(await promised(none, (await booked(none, service)).booking_url)).toEqual([])
  })
})

test('whoever books on the pages is promised everything, in the language of the page', async () => {
  const { done } = await visitor(none).book('/book/svc_free?day=2026-11-30', ROSA)
  const url = `https://book.example${done.headers.location}`
  expect(await promised(none, url)).toEqual([CONFIRMED.replace('a***', 'r***')])
  const tags = Object.keys(languages)
  const said = await Promise.all(tags.map((lang) => promised(none, `${url}?lang=${lang}`)))
  expect(said.map((sentences) => sentences.length)).toEqual(tags.map(() => 1))
  expect(new Set(said.flat()).size).toBe(tags.length)
})

test('an hour later the confirmation has come, after the reminder nothing is left, nor once it is canceled', async () => {
  const booking = await booked(all, 'svc_free')
  all.minutesLater(60)
  expect(await promised(all, booking.booking_url)).toEqual([REMINDER])
  all.time.now = new Date(Date.parse(booking.slot.start) - 3_600_000)
  expect(await promised(all, booking.booking_url)).toEqual([])
  all.time.now = START
  await restDesk(all).cancel(booking.id)
  expect(await promised(all, booking.booking_url)).toEqual([])
})

test('what is corrected when the visit is over promises no confirmation', async () => {
  const booking = await booked(all, 'svc_free')
  all.time.now = new Date(Date.parse(booking.slot.end) + 60_000)
  const correction = { booking_id: booking.id, notes: 'Came alone.' }
  const { data } = await restDesk(all).call('usp_business_bookings_correct', correction, { as: all.staff })
  expect(data.booking.notes).toBe('Came alone.')
  expect(await promised(all, booking.booking_url)).toEqual([])
})

test('nobody is promised a reminder where the business wants none', async () => {
  const shop = await testShop(studio({ reminder: [], mails: { platform_buyers: 'all' } }))
  const words = 'We will email a confirmation to a***@example.com.'
  expect(await promised(shop, (await booked(shop, 'svc_free')).booking_url)).toEqual([words])
})

test('a reminder is promised by the times of the service, where it has its own', async () => {
  const own = services.map((one) => (one.id === 'svc_free' ? { ...one, reminder: [] } : one))
  const shop = await testShop(studio({ services: own, mails: { platform_buyers: 'all' } }))
  const words = 'We will email a confirmation to a***@example.com.'
  expect(await promised(shop, (await booked(shop, 'svc_free')).booking_url)).toEqual([words])
  expect(await promised(shop, (await booked(shop, 'svc_fee')).booking_url)).toEqual([CONFIRMED])
})

test.each([
  [[{ before: 'PT2H', by: 'text' }], false],
  [[{ before: 'PT2H', by: 'mail' }], true],
  [['P1D', { before: 'PT2H', by: 'text' }], true],
] as const)(
  'who agreed to text messages is promised a reminder by mail only if it is certain: %j',
  async (set, isPromised) => {
    const shop = await testShop(studio({ reminder: [...set] }))
    const promises = async (more: object) => {
      const { booking_url } = await bookAtDesk(restDesk(shop), shop, { ...buyer, ...more }, 'svc_free')
      return promised(shop, booking_url)
    }
    const agreed = { phone_number: '+12125550171', ...AGREED }
    expect(await promises(agreed)).toEqual([
      isPromised ? CONFIRMED : 'We will email a confirmation to a***@example.com.',
    ])
    expect(await promises({ phone_number: '+12125550171' })).toEqual([CONFIRMED])
  },
)

test('who has no address is promised nothing', async () => {
  const nowhere = { buyer: { ...buyer, email: 'unknown@nobody.invalid' } }
  expect(await promised(all, (await booked(all, 'svc_free', nowhere)).booking_url)).toEqual([])
})

test.each([
  ['svc_waiver', 'waiver', CONFIRMED],
  ['svc_paid', 'payment', ONCE_DONE],
])('the page of a step of %s says it too, but to whoever has nothing but that link', async (service, step, words) => {
  const booking = await booked(all, service)
  const url = continueUrl(booking, step)
  await browser(all).send(url)
  expect(await promised(all, url)).toEqual([])
  const { headers } = await browser(all).open(booking.booking_url)
  const cookie = String(headers['set-cookie']).split(';', 1)[0] ?? ''
  expect(await promised(all, url, { cookie })).toEqual([words])
})

test('who has no account, or forgot the password, is sent a link where one can be sent', async () => {
  const linkOn = async (shop: TestServer) =>
    (await opened(shop, 'https://book.example/account')).includes('New here, or forgot your password?')
  expect([await linkOn(all), await linkOn(silent)]).toEqual([true, false])
})

test('whoever waits is told where the offer goes, if it does', async () => {
  const urlIn = async (shop: Shop) => {
    const line = lineOf(restDesk(shop))
    await line.fill()
    return entryUrl('https://book.example', shop.runtime.tag, (await line.wait('Ann')).id)
  }
  const words = 'We will email a***@example.com.'
  const url = await urlIn(all)
  expect(await promised(all, url)).toEqual([words])
  expect(await promised(silent, url)).toEqual([])
  expect(await promised(needed, await urlIn(needed))).toEqual([words])
  expect(await promised(none, await urlIn(none))).toEqual([])
})

test.each([
  ['alice@example.com', 'a***@example.com'],
  ['a@example.com', 'a***@example.com'],
  ['😀bc@example.com', '😀***@example.com'],
  ['"a@b"@example.com', '"***@example.com'],
])('of %s a page shows %s', (email, shown) => {
  expect(maskedEmail(email)).toBe(shown)
})
