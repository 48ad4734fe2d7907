import { setTimeout as pass } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { mailHtml } from '../../src/core/mails/mail-html.ts'
import { sendDueMails } from '../../src/core/mails/mail-worker.ts'
import { attemptEnd, attemptPostpone, mailsLease } from '../../src/core/mails/queries.ts'
import { MAX_CONNECTIONS } from '../../src/core/mails/smtp.ts'
import { Localizer } from '../../src/infra/i18n/localizer.ts'
import { accentOf } from '../../src/infra/util/accent-color.ts'
import { visitor } from '../booking-flow/visitor.ts'
import { businessWith } from '../support/definitions.ts'
import { mailingShop } from './mailing-shop.ts'
import { postOffice } from './post-office.ts'

const office = await postOffice()
const shop = await mailingShop(office, {
  website: {
    accent: '#ffcc00',
    logo: 'https://salon.example/logo.png',
    contact: { phone: '+12125550143', email: 'hello@salon.example', address: '1 Main Street' },
  },
})

const calendar = (method: string) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//test//EN', `METHOD:${method}`, 'END:VCALENDAR', ''].join('\r\n')

async function sent(...told: Parameters<typeof shop.tell>) {
  const before = office.arrivals.length
  await shop.tell(...told)
  await shop.sendAfter()
  const arrivals = office.arrivals.slice(before)
  expect(arrivals).toHaveLength(1)
  const [arrival] = arrivals
  if (!arrival) throw new Error('nothing came')
  return arrival
}

test('a letter arrives as text and as HTML, from the business and to be answered to it', async () => {
  const { mail, to } = await sent({
    subject: 'Booked: Haircut – 24 November',
    rows: [
      ['When', 'Tuesday at 10:00'],
      ['Price', '$75.00'],
    ],
    actions: [
      { label: 'View booking', url: 'https://salon.example/b/1' },
      { label: 'Add to calendar', url: 'https://salon.example/b/1.ics' },
    ],
  })
  const [row] = (await shop.rows()).slice(-1)
  expect(to).toEqual(['alice@example.com'])
  expect(mail).toMatchObject({
    messageId: `<${row?.id}@127.0.0.1>`,
    subject: 'Booked: Haircut – 24 November',
    from: { value: [{ name: 'Glamour Salon', address: 'book@salon.example' }] },
    replyTo: { value: [{ address: 'hello@salon.example' }] },
    attachments: [],
  })
  expect(mail.headers.get('auto-submitted')).toBe('auto-generated')
  expect(mail.text).toContain('You are booked\n\nWe look forward to it.\n\nWhen: Tuesday at 10:00\nPrice: $75.00')
  expect(mail.text).toContain('View booking:\nhttps://salon.example/b/1')
  expect(mail.text).toContain('+1 212 555 0143\nhello@salon.example\n1 Main Street')
  const page = String(mail.html)
  expect(page).toContain('<html lang="en" dir="ltr">')
  expect(page).toContain('src="https://salon.example/logo.png"')
  // Too light for white to be read upon it, and as a link on paper.
  const { light, dark } = accentOf('#ffcc00')
  const [style = ''] = /<style>.*<\/style>/s.exec(page) ?? []
  expect(page.replace(style, '')).not.toContain('#ffcc00')
  expect(page).toContain(`bgcolor="${light.accent}"`)
  expect(page).toContain(`background:${light.accent};color:${light.on}">View booking</a>`)
  expect(page).toContain(`href="https://salon.example/b/1.ics" style="color:${light.accent}"`)
  for (const colour of [dark.accent, dark.on]) expect(style).toContain(colour)
  for (const told of ['Tuesday at 10:00', 'href="https://salon.example/b/1"', 'href="tel:+12125550143"'])
    expect(page).toContain(told)
  expect(page.match(/class="button" href/g)).toHaveLength(1)
  expect(row).toMatchObject({ status: 'sent', attempts: 1, problem: null, ended_at: shop.time.now })
})

test.each(['REQUEST', 'CANCEL'] as const)(
  'a calendar part is read as it stands and kept as a file: %s',
  async (method) => {
    const { mail, raw } = await sent({ calendar: { method, text: calendar(method) } })
    expect(raw).toMatch(new RegExp(`Content-Type: text/calendar; charset=utf-8;\\s+method=${method}`))
    const files = mail.attachments.map(({ contentType, filename, content }) => [
      contentType,
      filename,
      content.toString(),
    ])
    const name = method === 'CANCEL' ? 'cancel.ics' : 'invite.ics'
    expect(files).toContainEqual(['application/ics', name, calendar(method)])
  },
)

test('the page says which language it is in and where that begins', async () => {
  const { mail } = await sent({}, { to: { email: 'alice@example.com', locale: 'en-GB' } })
  expect(mail.html).toContain('<html lang="en-GB" dir="ltr">')
  const localizer = Object.assign(new Localizer('en', 'ar'), { direction: 'rtl' as const })
  const letter = { subject: 'x', heading: 'x', paragraphs: [] }
  expect(mailHtml(letter, businessWith([]), localizer)).toContain('<html lang="ar" dir="rtl">')
})

test.each([
  ['de', 'ltr', /^Gebucht: Service svc_a, Fr\., 20\. Nov\., \d+:\d\d$/, 'Ihr Termin steht'],
  ['ar', 'rtl', /^تم تأكيد الحجز: Service svc_a، /, 'حجزك مؤكد'],
])('who books on the page in %s is written to in it, %s', async (language, direction, subject, heading) => {
  const before = office.arrivals.length
  const { done } = await visitor(shop, { 'accept-language': language }).book('/book/svc_a')
  expect(done.status).toBe(303)
  await sendDueMails(shop.runtime)
  const [{ mail, to } = { mail: undefined, to: [] }] = office.arrivals.slice(before)
  expect(to).toEqual(['rosa@example.com'])
  expect(mail?.subject).toMatch(subject)
  expect(mail?.text).toContain(heading)
  expect(mail?.html).toContain(`<html lang="${language}" dir="${direction}">`)
})

const hostile = 'Alice"><script>\r\nBcc: eve@example.com\r\n\r\nHello\u2028\u0000'

test('[nobody writes a header] whatever people wrote ends no line and no element', async () => {
  const { mail, raw, to } = await sent({
    subject: hostile,
    heading: hostile,
    paragraphs: [hostile],
    rows: [[hostile, hostile]],
    actions: [{ label: hostile, url: `https://salon.example/?${hostile}` }],
  })
  expect(to).toEqual(['alice@example.com'])
  expect(mail.bcc).toBeUndefined()
  expect(mail.headers.has('bcc')).toBe(false)
  expect(raw.split('\r\n\r\n', 1)[0]).not.toMatch(/^bcc:/im)
  expect(mail.subject).toMatch(/^Alice"><script> Bcc: eve@example\.com Hello$/)
  expect(String(mail.html)).not.toContain('<script>')
  expect(String(mail.html)).toContain('&lt;script&gt;')
})

test.each([
  'alice@example.com, eve@example.com',
  'alice@example.com\r\nRCPT TO:<eve@example.com>',
  'Alice <alice@example.com>',
  'alice@example.com> <eve@example.com',
])('[nobody adds a recipient] %j is no address, and is given up', async (email) => {
  const before = office.arrivals.length
  await shop.tell({}, { to: { email } })
  await shop.sendAfter()
  expect(office.arrivals.slice(before).flatMap(({ to }) => to)).not.toContain('eve@example.com')
  expect(office.arrivals).toHaveLength(before)
  expect((await shop.rows()).at(-1)).toMatchObject({ status: 'given_up' })
})

test('[no mail waits for a connection] as many mails are leased and sent at once as there are connections to the mail server', async () => {
  for (let count = 0; count < 3 * MAX_CONNECTIONS; count++) await shop.tell()
  const before = office.arrivals.length
  let [atOnce, mostAtOnce, mostLeased] = [0, 0, 0]
  office.beforeAnswer = async () => {
    mostAtOnce = Math.max(mostAtOnce, ++atOnce)
    await pass(100)
    const leased = (await shop.rows()).filter(({ status, leased_until }) => status === 'waiting' && leased_until)
    mostLeased = Math.max(mostLeased, leased.length)
    atOnce--
  }
  await shop.sendAfter()
  delete office.beforeAnswer
  expect(office.arrivals.length - before).toBe(3 * MAX_CONNECTIONS)
  expect([mostAtOnce, mostLeased]).toEqual([MAX_CONNECTIONS, MAX_CONNECTIONS])
})

test('[an outcome is written until the database accepts it] a failure whose outcome is written twice is one attempt', async () => {
  const shop = await mailingShop(undefined)
  const { db } = shop.runtime
  await shop.tell()
  const [mail] = await mailsLease(db, 'mail', 1, shop.time.now)
  if (!mail) throw new Error('No mail is due.')
  const next = new Date(shop.time.now.getTime() + 60_000)
  for (let time = 1; time <= 3; time++)
    await attemptEnd(db, mail, { status: 'waiting', next, problem: 'It is full' }, shop.time.now)
  expect((await shop.rows()).map(({ attempts, status }) => [attempts, status])).toEqual([[1, 'waiting']])
  await attemptEnd(db, mail, { status: 'sent', next, problem: undefined }, shop.time.now)
  expect((await shop.rows()).map(({ status }) => status)).toEqual(['sent'])
})

test('[a failure of the own database is no attempt] a postponed mail is due again at its time, without a lease', async () => {
  const shop = await mailingShop(undefined)
  const { db } = shop.runtime
  await shop.tell()
  const [mail] = await mailsLease(db, 'mail', 1, shop.time.now)
  if (!mail) throw new Error('No mail is due.')
  const until = new Date(shop.time.now.getTime() + 60_000)
  await attemptPostpone(db, mail.id, until)
  expect(await mailsLease(db, 'mail', 1, shop.time.now)).toEqual([])
  const [again] = await mailsLease(db, 'mail', 1, until)
  expect(again).toMatchObject({ id: mail.id, attempts: 0 })
})
