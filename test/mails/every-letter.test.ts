import { afterAll, afterEach, expect, test } from 'vitest'
import { messageOf } from '../../src/core/mails/build-email-message.ts'
import { startMailWorker } from '../../src/core/mails/mail-worker.ts'
import { compose } from '../../src/core/mails/notification-text.ts'
import { mailList } from '../../src/core/mails/queries.ts'
import { timeRange } from '../../src/infra/i18n/format-times.ts'
import { englishLocalizer } from '../../src/infra/i18n/localizer.ts'
import en from '../../src/infra/i18n/texts/en.json' with { type: 'json' }
import { html } from '../../src/infra/util/html-template.ts'
import { asOthersRead, read } from '../calendar/calendar-file.ts'
import { paidShop } from '../payments/shop.ts'
import { testAnnouncements } from '../support/announcements.ts'
import { freshDatabase } from '../support/database.ts'
import { restDesk, type Shop } from '../support/desk.ts'
import { withPlainSpaces } from '../support/plain.ts'
import { START } from '../support/server.ts'
import { causes, queues, type World } from './causes.ts'
import { bookedBy, staffOf, talking, talkingShop } from './letters-shop.ts'
import { type Arrival, postOffice } from './post-office.ts'

const office = await postOffice()
const env = { SMTP_URL: office.url, MAIL_FROM: '"Test Studio" <book@studio.example>' }
const databases = [await freshDatabase(), await freshDatabase()] as const
const shop = await talkingShop({ services: [...talking.services, ...queues] }, env, databases[0])
const paid = await paidShop({ mails: { staff: ['desk@studio.example'] }, env, databaseUrl: databases[1] })
const desk = restDesk(shop)
const world: World = { desk, shop, paid, staff: staffOf(desk, shop) }
const workers = [
  startMailWorker(shop.runtime, testAnnouncements(databases[0])),
  startMailWorker(paid.shop.runtime, testAnnouncements(databases[1])),
]
afterAll(() => Promise.all(workers.map((worker) => worker.close())))
afterEach(() => {
  shop.time.now = START
})

/** What stands where something was not said; in a link it may be chance. */
const UNSAID = /(?<![\w/-])(undefined|Invalid|NaN)(?![\w-])|[{}]/

/** The headers that every mail has. */
const HEADERS = 'auto-submitted content-language content-type date from message-id mime-version subject to'.split(' ')

interface Sent extends Arrival {
  kind: string
  subject: string
  /** Of something else, of which there were mails before: the clock does not move for one alone. */
  isOfBefore: boolean
}

/** The mails that were written meanwhile and have been sent, each with what came. */
async function sentBy(act: () => Promise<unknown>): Promise<Sent[]> {
  const all = async () => {
    const of = ({ runtime }: Shop) => runtime.db.selectFrom('mails').selectAll().orderBy('number').execute()
    return [...(await of(shop)), ...(await of(paid.shop))]
  }
  const before = await all()
  const [known, subjects] = [new Set(before.map(({ id }) => id)), new Set(before.map(({ subject }) => subject))]
  await act()
  await expect.poll(async () => (await all()).filter(({ status }) => status !== 'sent')).toEqual([])
  const written = (await all()).filter(({ id }) => !known.has(id))
  return written.map(({ id, audience, kind, recipient, subject }) => {
    const came = office.arrivals.filter(({ mail }) => mail.messageId === `<${id}@book.example>`)
    expect(came.map(({ to }) => to)).toEqual([[recipient]])
    const [arrival] = came
    if (!arrival) throw new Error(`${id} never came`)
    return { ...arrival, kind: `${audience} ${kind}`, subject, isOfBefore: subjects.has(subject) }
  })
}

/** The calendar's file in a mail: the part that programs act on and the one that is kept are the same. */
function calendarOf({ mail, raw }: Arrival): string | undefined {
  const parts = mail.attachments.filter(({ contentType }) => /calendar|ics/.test(contentType))
  const files = new Set(parts.map(({ content }) => content.toString()))
  expect(files.size).toBeLessThanOrEqual(1)
  const [file] = files
  if (file !== undefined)
    expect(raw).toMatch(
      new RegExp(`text/calendar; charset=utf-8;\\s+method=${read(file).calendar.getFirstPropertyValue('method')}`),
    )
  return file
}

/** What both parsers find in it, and they find the same. */
async function eventOf(file: string) {
  const { calendar, events } = read(file)
  const [event, ...others] = events
  const other = await asOthersRead(file)
  const instant = (name: 'dtstart' | 'dtend') => {
    const time = event?.event.getFirstPropertyValue(name)
    return time !== null && typeof time === 'object' && 'toJSDate' in time ? time.toJSDate().getTime() : undefined
  }
  const found = {
    method: calendar.getFirstPropertyValue('method'),
    uid: event?.uid,
    sequence: Number(event?.sequence),
    status: event?.status,
    summary: event?.summary,
    start: instant('dtstart'),
    end: instant('dtend'),
  }
  expect(others).toEqual([])
  expect({
    method: other.method,
    uid: other.uid,
    sequence: Number(other.sequence),
    status: other.status,
    summary: other.summary,
    start: other.start.getTime(),
    end: other.end?.getTime(),
  }).toEqual(found)
  expect(other.start.tz).toBe('Etc/UTC')
  return found
}

test('[no letter is left out] each kind that there are words for is caused below', () => {
  const kinds = Object.keys(en).flatMap((message) => {
    const [, staff, kind] = /^letter\.(staff\.)?(.+)\.subject$/.exec(message) ?? []
    return kind === undefined ? [] : [`${staff === undefined ? 'buyer' : 'staff'} ${kind}`]
  })
  expect(Object.keys(causes).toSorted()).toEqual(kinds.toSorted())
})

test.each(Object.entries(causes))('[letters by SMTP] %s', async (kind, { cause, says, calendar }) => {
  const sent = await sentBy(() => cause(world))
  for (const one of sent) expect(Object.keys(causes)).toContain(one.kind)
  const letters = sent.filter((one) => one.kind === kind && !one.isOfBefore)
  expect(letters).toHaveLength(1)
  const [letter] = letters
  if (!letter) return
  const { mail, to, subject } = letter
  const { text = '', html: page } = mail
  for (const words of says) {
    expect(withPlainSpaces(text)).toContain(words)
    expect(withPlainSpaces(String(page))).toContain(html`${words}`.text)
  }
  expect(mail.from?.value).toEqual([{ name: 'Test Studio', address: 'book@studio.example' }])
  expect(to[0] === 'desk@studio.example').toBe(kind.startsWith('staff'))
  expect(`${mail.subject}${text}`).not.toMatch(UNSAID)
  const isAnswerable = mail.replyTo !== undefined
  if (isAnswerable) expect(mail.replyTo?.value).toEqual([{ name: 'Test Studio', address: 'hello@studio.example' }])
  expect(mail.headerLines.map(({ key }) => key).toSorted()).toEqual(
    [...HEADERS, ...(isAnswerable ? ['reply-to'] : [])].toSorted(),
  )
  // Headers are kept in logs and shown in lists, so no secret of a link is in one of them.
  const secrets = (text.match(/https?:\S+/g) ?? []).flatMap((link) => link.match(/[\w-]{20,}/g) ?? [])
  for (const { line } of mail.headerLines) for (const secret of secrets) expect(line).not.toContain(secret)

  const file = calendarOf(letter)
  expect(file && read(file).calendar.getFirstPropertyValue('method')).toBe(calendar)
  if (!subject.startsWith('booking') || kind.endsWith('refund_refused')) return
  const { booking } = (
    await desk.call('usp_business_bookings_get', { booking_id: subject.slice(8) }, { as: shop.staff })
  ).data
  const [start, end] = [new Date(booking.slot.start), new Date(booking.slot.end)]
  for (const part of [text, String(page)])
    expect(part).toContain(timeRange(englishLocalizer(), start, end, 'America/New_York'))
  if (file === undefined) return
  expect(await eventOf(file)).toMatchObject({
    method: calendar,
    uid: booking.id,
    summary: booking.service_name,
    start: start.getTime(),
    end: end.getTime(),
    status: { canceled: 'CANCELLED', confirmed: 'CONFIRMED', requires_action: 'TENTATIVE' }[String(booking.status)],
  })
})

/** All mails so far, each as it would have been for somebody who reads another language. */
async function allIn(locale: string) {
  const of = async ({ runtime: { db, business, letters } }: Shop) => {
    const definition = await business.get()
    if (!definition) throw new Error('there is no business')
    const rows = await mailList(db, { limit: 500 })
    return rows.flatMap((row) => {
      const composed = compose({ ...row, locale }, letters, definition)
      if (!composed) return []
      const envelope = { id: row.id, from: '', recipient: row.recipient, baseUrl: 'https://book.example' }
      const { subject, text, html } = messageOf(composed.letter, definition, {
        ...envelope,
        localizer: composed.localizer,
      })
      const own = JSON.stringify([definition, row.snapshot])
      return [
        { kind: `${row.audience} ${row.kind}`, words: `${subject}\n${text}`, html: String(html), own, ...composed },
      ]
    })
  }
  return [...(await of(shop)), ...(await of(paid.shop))]
}

/** But for addresses, and what has no small letter, such as references. */
const wordsIn = (text: string) =>
  new Set(text.replace(/(https:|mailto:|tel:|POST )\S+/g, '').match(/[A-Za-z][a-z]{2,}/g))

/** Words that are the same in German, and names of products. */
const SAME_IN_EVERY_LANGUAGE = 'Name was Google Outlook com Apple'

test.each([
  ['de', 'ltr'],
  ['ar', 'rtl'],
] as const)(
  '[in %s] every kind of letter runs %s, has no English word of ours, and its calendar is read',
  async (language, direction) => {
    const [told, inEnglish] = [await allIn(language), await allIn('en')]
    const [long, short] = (['long', 'short'] as const).map((month) => new Intl.DateTimeFormat(language, { month }))
    const months = Array.from({ length: 12 }, (_, month) => new Date(2026, month, 15)).map(
      (date) => `${long?.format(date)} ${short?.format(date)}`,
    )
    expect(new Set(told.map(({ kind }) => kind))).toEqual(new Set(Object.keys(causes)))
    for (const [at, { kind, words, html, own, letter }] of told.entries()) {
      expect(html, kind).toContain(`<html lang="${language}" dir="${direction}">`)
      const known = wordsIn(`${own} ${months} ${SAME_IN_EVERY_LANGUAGE}`)
      const left = wordsIn(inEnglish[at]?.words ?? '')
        .intersection(wordsIn(words))
        .difference(known)
      expect([kind, [...left]]).toEqual([kind, []])
      expect(words, kind).not.toMatch(UNSAID)
      const { calendar } = letter
      if (calendar) expect((await eventOf(calendar.text)).method, kind).toBe(calendar.method)
    }
  },
)

test('[a cancel never loses] what one buyer’s calendar gets by mail is one event, of which each next word counts more', async () => {
  const sent = await sentBy(async () => {
    const { id } = await bookedBy(desk, 'svc_spot', -2)
    await desk.reschedule(id, (await desk.slots('svc_spot'))[0])
    await desk.update(id, { notes: 'Ring; twice, please' })
    shop.minutesLater(1)
    await desk.cancel(id)
  })
  const files = sent.map(calendarOf).filter((file) => file !== undefined)
  const events = await Promise.all(files.map(eventOf))
  expect(events.map(({ method, sequence, status }) => [method, sequence, status])).toEqual([
    ['REQUEST', 0, 'CONFIRMED'],
    ['REQUEST', 1, 'CONFIRMED'],
    ['REQUEST', 1, 'CONFIRMED'],
    ['CANCEL', 2, 'CANCELLED'],
  ])
  expect(new Set(events.map(({ uid }) => uid)).size).toBe(1)
})

test('[a cancel never loses] in all that came no event had its SEQUENCE fall', async () => {
  const files = office.arrivals.map(calendarOf).filter((file) => file !== undefined)
  const byEvent = Map.groupBy(await Promise.all(files.map(eventOf)), ({ uid }) => uid)
  expect(byEvent.size).toBeGreaterThan(Object.values(causes).filter(({ calendar }) => calendar).length)
  for (const events of byEvent.values()) {
    const sequences = events.map(({ sequence }) => sequence)
    expect(sequences).toEqual(sequences.toSorted((one, other) => one - other))
  }
})
