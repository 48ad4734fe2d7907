import { expect, test } from 'vitest'
import { bookingFind } from '../../src/domain/bookings/queries.ts'
import { addToCalendarLinks } from '../../src/domain/calendar/add-to-calendar-links.ts'
import { englishLocalizer } from '../../src/infra/i18n/localizer.ts'
import { address, shopDefinition } from '../bookings/shop.ts'
import { talking, talkingShop } from '../mails/letters-shop.ts'
import { browser } from '../pages/shop.ts'
import { restDesk } from '../support/desk.ts'

const visit = shopDefinition.services.filter(({ id }) => id === 'svc_visit')
const shop = await talkingShop({ services: [...talking.services, ...visit] })
const desk = restDesk(shop)
const page = browser(shop)

const GOOGLE = 'calendar.google.com'
const OUTLOOK = 'outlook.live.com'

async function booked(service: string, more: object = {}) {
  const [slot] = await desk.slots(service)
  return (await desk.book(slot, { notes: 'Swordfish', ...more })).data.booking
}

/** The links on the page of a booking, as a browser would follow them. */
async function linksOf(booking: { booking_url: string }): Promise<string[]> {
  const { body } = await page.open(booking.booking_url)
  const links = [...body.matchAll(/href="([^"]*)"/g)].map(([, link = '']) => link.replaceAll('&amp;', '&'))
  return links.filter((link) => link.includes(GOOGLE) || link.includes(OUTLOOK) || link.endsWith('/calendar.ics'))
}

const queryOf = (link = '') => Object.fromEntries(new URL(link).searchParams)
const secretIn = (url: string) => url.split('/').at(-1) ?? ''
const utc = (time: string) => new Date(time).toISOString().replace('.000', '')

test('[add to a calendar] a confirmed booking has links with what, when in UTC, and where, and a file', async () => {
  const booking = await booked('svc_spot')
  const [google, outlook, file, ...others] = await linksOf(booking)
  expect(others).toEqual([])
  const [start, end] = [utc(booking.slot.start), utc(booking.slot.end)]
  const [text, location] = ['Service svc_spot · Test Studio', 'Main Street, 1 Main St, New York']
  expect(google).toContain(`https://${GOOGLE}/calendar/render?`)
  const dates = `${start}/${end}`.replace(/[-:]/g, '')
  expect(dates).toMatch(/^\d{8}T\d{6}Z\/\d{8}T\d{6}Z$/)
  expect(queryOf(google)).toEqual({ action: 'TEMPLATE', text, dates, location })
  expect(outlook).toContain(`https://${OUTLOOK}/calendar/0/deeplink/compose?`)
  expect(queryOf(outlook)).toEqual({
    ...{ path: '/calendar/action/compose', rru: 'addevent' },
    ...{ subject: text, startdt: start, enddt: end, location },
  })
  expect(file).toBe(`${new URL(booking.booking_url).pathname}/calendar.ics`)
})

test('[add to a calendar] the links to others hold no secret, and nothing that the buyer wrote', async () => {
  const booking = await booked('svc_spot')
  const [google = '', outlook = ''] = await linksOf(booking)
  for (const link of [google, outlook])
    for (const word of [secretIn(booking.booking_url), booking.id, 'book.example', 'Swordfish', 'alice', 'Williams'])
      expect(decodeURIComponent(link)).not.toContain(word)
  const { headers, body } = await page.open(booking.booking_url)
  expect(headers['referrer-policy']).toBe('no-referrer')
  for (const host of [GOOGLE, OUTLOOK])
    expect(body).toMatch(new RegExp(`href="https://${host}[^"]*" rel="noreferrer" target="_blank"`))
})

test('[add to a calendar] a booking that is no more has none, and a mere request only the file', async () => {
  const request = await booked('svc_asked')
  expect(request.status).toBe('pending')
  expect(await linksOf(request)).toEqual([`${new URL(request.booking_url).pathname}/calendar.ics`])
  const unpaid = await booked('svc_paid')
  expect([unpaid.status, await linksOf(unpaid)]).toEqual(['requires_action', []])
  const booking = await booked('svc_spot')
  await desk.cancel(booking.id)
  expect(await linksOf(booking)).toEqual([])
})

test('[add to a calendar] the links follow the language and a new time', async () => {
  const booking = await booked('svc_spot')
  const { body } = await page.open(booking.booking_url, { 'accept-language': 'de' })
  for (const text of ['Zu Google Kalender', 'Zu Outlook.com', 'Zu Apple oder anderem Kalender'])
    expect(body).toContain(`>${text} hinzufügen</a>`)
  const slot = (await desk.slots('svc_spot')).at(-1)
  await desk.reschedule(booking.id, slot)
  const [google] = await linksOf(booking)
  expect(queryOf(google).dates).toBe(`${utc(slot.start)}/${utc(slot.end)}`.replace(/[-:]/g, ''))
})

test('[add to a calendar] the mail that confirms a booking has the same links, and no other mail has them', async () => {
  const booking = await booked('svc_spot')
  const links = await linksOf(booking)
  await desk.reschedule(booking.id, (await desk.slots('svc_spot')).at(-2))
  await desk.cancel(booking.id)
  const letters = (await shop.lettersOf(booking)).filter(({ audience }) => audience === 'buyer')
  const added = letters.map(({ letter: { actions = [] } }) =>
    actions.filter(({ label }) => label.startsWith('Add to ')).map(({ label, url }) => [label, url]),
  )
  expect(letters.map(({ kind }) => kind)).toEqual(['booking.confirmed', 'booking.moved', 'booking.canceled'])
  expect(added).toEqual([
    [
      ['Add to Google Calendar', links[0]],
      ['Add to Outlook.com', links[1]],
      ['Add to Apple or another calendar', `${booking.booking_url}/calendar.ics`],
    ],
    [],
    [],
  ])
  expect(letters[0]?.letter.actions?.[0]?.url).toBe(booking.booking_url)
})

test('[add to a calendar] a mail about an approval has them once nothing is left to do', async () => {
  const actionsAfter = async (service: string) => {
    const booking = await booked(service)
    await desk.confirm(booking.id)
    const approved = (await shop.lettersOf(booking)).find(({ kind }) => kind === 'booking.approved')
    return approved?.letter.actions?.filter(({ label }) => label.startsWith('Add to ')).length
  }
  expect([await actionsAfter('svc_free_asked'), await actionsAfter('svc_asked')]).toEqual([3, 0])
})

test('[add to a calendar] the address of a visit is on the page of its buyer, and not in a mail', async () => {
  const booking = await booked('svc_visit', { delivery_address: address })
  expect((await linksOf(booking)).slice(0, 2).map((link) => queryOf(link).location)).toEqual(
    Array(2).fill('5 Elm Street, New York, 10001, US'),
  )
  const [confirmed] = await shop.lettersOf(booking)
  const urls = confirmed?.letter.actions?.map(({ url }) => decodeURIComponent(url)) ?? []
  expect(urls).toHaveLength(4)
  for (const url of urls) expect(url).not.toContain('Elm Street')
})

test('[add to a calendar] whatever the texts are, each link is one whole address that programs accept', async () => {
  const { id } = await booked('svc_spot')
  const row = await bookingFind(shop.runtime.db, id, undefined, { lock: false })
  if (!row) throw new Error('There is no booking')
  const texts = [
    'Cut & color + "wash" <b>#1</b>? 100 %; =x\u2028\r\n&dates=1',
    '予約'.repeat(400),
    `${'x'.repeat(79)}😀😀`,
    'مقص',
    '\ud800',
  ]
  for (const text of texts) {
    const service = { ...row.record.service, name: text, channel: { type: 'virtual', virtual_provider: text } as const }
    const { google, outlook } = addToCalendarLinks(
      { ...row, service_id: 'svc_gone', record: { ...row.record, service } },
      shop.definition,
      englishLocalizer(),
    )
    for (const link of [google, outlook]) {
      expect(link.length).toBeLessThan(2_048)
      expect(link).toMatch(/^https:\/\/[\w%.*/?&=-]+$/)
    }
    expect(Object.keys(queryOf(google))).toEqual(['action', 'text', 'dates', 'location'])
    expect(queryOf(google).text).toBe(queryOf(outlook).subject)
    expect(queryOf(google).text?.slice(0, 20)).toBe(
      `${text.toWellFormed().replace('\u2028\r\n', ' ')} · Test Studio`.slice(0, 20),
    )
  }
})
