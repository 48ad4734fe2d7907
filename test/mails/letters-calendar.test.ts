import { afterEach, expect, test } from 'vitest'
import { asOthersRead, linesOf, read } from '../calendar/calendar-file.ts'
import { buyer, restDesk } from '../support/desk.ts'
import { START } from '../support/server.ts'
import { bookedBy, staffOf, type TalkingShop, talkingShop } from './letters-shop.ts'

const shop = await talkingShop({}, { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: '"Test Studio" <book@studio.example>' })
const desk = restDesk(shop)
afterEach(() => {
  shop.time.now = START
})

/** What the calendar of the buyer was sent, in its order. */
async function sentTo(of: TalkingShop, booking: { id: string }) {
  const letters = await of.lettersOf(booking)
  return letters.flatMap(({ audience, letter: { calendar } }) => (audience === 'buyer' && calendar ? [calendar] : []))
}

const utc = (time: string) => new Date(time).toISOString().replace(/[-:]|\.\d+/g, '')

test('from booking over moving to canceling it is one event, of which each next word counts more', async () => {
  const booking = await bookedBy(desk, 'svc_spot')
  const [slot] = await desk.slots('svc_spot')
  await desk.reschedule(booking.id, slot)
  await desk.update(booking.id, { notes: 'Ring; twice, please' })
  shop.minutesLater(1)
  await desk.cancel(booking.id)
  const sent = await sentTo(shop, booking)
  expect(sent.map(({ method }) => method)).toEqual(['REQUEST', 'REQUEST', 'REQUEST', 'CANCEL'])

  const events = sent.map(({ text }) => read(text).events)
  expect(events.map((some) => some.length)).toEqual([1, 1, 1, 1])
  const [asked, moved, noted, called] = events.map(([event]) => event)
  expect([asked?.uid, moved?.uid, noted?.uid, called?.uid]).toEqual(Array(4).fill(booking.id))
  expect([asked, moved, noted, called].map((one) => one?.sequence)).toEqual([0, 1, 1, 2])
  expect([asked, moved, noted, called].map((one) => one?.status)).toEqual([
    ...['CONFIRMED', 'CONFIRMED', 'CONFIRMED'],
    'CANCELLED',
  ])
  const stamps = sent.map(({ text }) => linesOf(text).find((line) => line.startsWith('DTSTAMP:')) ?? '')
  expect(stamps).toEqual(stamps.toSorted())
  expect(linesOf(sent[0]?.text ?? '')).toContain(`DTSTART:${utc(booking.slot.start)}`)
  expect(linesOf(sent[3]?.text ?? '')).toContain(`DTSTART:${utc(slot.start)}`)
})

test('the method of the file is that of the mail, and it says who invites whom, who has agreed already', async () => {
  const booking = await bookedBy(desk, 'svc_spot', -2)
  await desk.cancel(booking.id)
  for (const { method, text } of await sentTo(shop, booking)) {
    const { calendar } = read(text)
    expect(calendar.getFirstPropertyValue('method')).toBe(method)
    const lines = linesOf(text)
    expect(lines).toContain('ORGANIZER;CN="Test Studio":mailto:book@studio.example')
    expect(lines).toContain(
      'ATTENDEE;CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT;PARTSTAT=ACCEPTED;RSVP=FALSE:mailto:alice@example.com',
    )
    expect(Math.max(...text.split('\r\n').map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(75)
  }
})

test('another parser reads the same', async () => {
  const booking = await bookedBy(desk, 'svc_spot', -3)
  await staffOf(desk, shop)('bookings_cancel', { booking_id: booking.id })
  const [request, cancel] = await sentTo(shop, booking)
  const [asked, called] = [await asOthersRead(request?.text ?? ''), await asOthersRead(cancel?.text ?? '')]
  expect(asked).toMatchObject({
    uid: booking.id,
    method: 'REQUEST',
    status: 'CONFIRMED',
    summary: 'Service svc_spot',
    location: 'Main Street, 1 Main St, New York',
    organizer: { params: { CN: 'Test Studio' }, val: 'mailto:book@studio.example' },
    attendee: { params: { PARTSTAT: 'ACCEPTED' }, val: 'mailto:alice@example.com' },
  })
  expect(new Date(asked.start).getTime()).toBe(Date.parse(booking.slot.start))
  expect(called).toMatchObject({ uid: booking.id, method: 'CANCEL', status: 'CANCELLED' })
  expect(Number(called.sequence)).toBeGreaterThan(Number(asked.sequence))
})

test('what is agreed to and has yet to be paid is tentative, and confirmed with the payment', async () => {
  const booking = await bookedBy(desk, 'svc_asked')
  await desk.pay((await desk.confirm(booking.id)).data.booking)
  const sent = await sentTo(shop, booking)
  expect(sent.map(({ method, text }) => [method, read(text).events[0]?.status])).toEqual([
    ['REQUEST', 'TENTATIVE'],
    ['REQUEST', 'CONFIRMED'],
  ])
})

test('what was never agreed to is not called off', async () => {
  const booking = await bookedBy(desk, 'svc_asked', -2)
  await desk.reschedule(booking.id, (await desk.slots('svc_asked'))[0])
  await staffOf(desk, shop)('bookings_decline', { booking_id: booking.id })
  expect(await sentTo(shop, booking)).toEqual([])
})

test('nothing that a buyer writes stands in it, nor adds a line', async () => {
  const evil = 'X"\r\nATTENDEE:mailto:eve@example.com\u2028;CN=^y'
  const { data } = await desk.book((await desk.slots('svc_spot'))[5], {
    buyer: { ...buyer, first_name: evil, last_name: evil },
    notes: evil,
  })
  const [request] = await sentTo(shop, data.booking)
  const attendees = read(request?.text ?? '').events[0]?.event.getAllProperties('attendee')
  expect(attendees?.map((one) => one.getFirstValue())).toEqual(['mailto:alice@example.com'])
  expect(request?.text).not.toContain('eve@')
})

test('without a sender of its own it is from where the business is reached', async () => {
  const other = await talkingShop()
  const booking = await bookedBy(restDesk(other), 'svc_spot')
  const [request] = await sentTo(other, booking)
  expect(linesOf(request?.text ?? '')).toContain('ORGANIZER;CN="Test Studio":mailto:hello@studio.example')
})
