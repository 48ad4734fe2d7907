import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { buyer, restDesk, testShop } from '../support/desk.ts'
import { fileOf, linesOf, read } from './calendar-file.ts'

const salon = parse(readFileSync('examples/glamour-salon.yaml', 'utf8'))
const haircut = salon.services.find(({ id }: { id: string }) => id === 'svc_haircut')
const online = (id: string, channel: object) => {
  const { resources: _, locations: __, ...rest } = haircut
  return { ...rest, id, handle: undefined, channel }
}
salon.services.push(
  online('svc_zoom', {
    type: 'virtual',
    virtual_provider: 'Zoom; "Pro"',
    instructions: 'Join at https://zoom.example/j/42?pwd=a,b. We start on time.',
  }),
  online('svc_video', { type: 'virtual', virtual_provider: 'Google Meet', instructions: 'We send you a link.' }),
  online('svc_hotline', { type: 'phone', instructions: 'Dial tel:+1-212-555-0100, then 7#.' }),
  online('svc_media', {
    type: 'at_business_location',
  }),
)
Object.assign(salon.services.at(-1), {
  media: [
    { type: 'image', url: 'https://pictures.example/a,b;c.png' },
    { type: 'video', url: 'https://pictures.example/tour.mp4' },
    { type: 'image', url: 'https://pictures.example/hero?size=2' },
  ],
})

const shop = await testShop(salon)
const desk = restDesk(shop)

async function booked(service: string, more = {}) {
  const slots = await desk.slots(service)
  for (const slot of slots) {
    const { data } = await desk.book(slot, more)
    if (data.booking) return data.booking
  }
  throw new Error(`${service} cannot be booked`)
}

async function eventOf(bookingId: string) {
  const { status, headers, body } = await fileOf(shop, bookingId)
  expect([status, headers['content-type']]).toEqual([200, 'text/calendar; charset=utf-8'])
  const { events } = read(body)
  expect(events).toHaveLength(1)
  const [event] = events
  if (!event) throw new Error('There is no event')
  return { ...event, body, lines: linesOf(body) }
}

/** As RFC 5545 writes an instant in UTC. */
const utc = (time: string) => new Date(time).toISOString().replace(/[-:]|\.\d+/g, '')

test('[ICS-001] [ICS-003] [ICS-005] [ICS-006] a confirmed booking is one event at its time and place', async () => {
  const booking = await booked('svc_haircut', { notes: 'Short, please' })
  expect(booking.status).toBe('confirmed')
  const { uid, status, summary, location, description, lines } = await eventOf(booking.id)
  expect({ uid, status, summary }).toEqual({ uid: booking.id, status: 'CONFIRMED', summary: booking.service_name })
  expect(location).toBe(
    {
      loc_downtown: 'Glamour Salon Downtown, 120 Spring Street, New York, NY 10012',
      loc_uptown: 'Glamour Salon Uptown, 2230 Broadway, New York, NY 10024',
    }[String(booking.location.id)],
  )
  expect(description).toContain(booking.resources[0].name)
  expect(description).toContain('Short, please')
  expect(lines).toContain(`DTSTART:${utc(booking.slot.start)}`)
  expect(lines).toContain(`DTEND:${utc(booking.slot.end)}`)
  expect(lines).toContain(`URL;VALUE=URI:${booking.booking_url}`)
})

test('[ICS-009] the file says what it is and when its event was last changed, in lines that end in CRLF', async () => {
  const booking = await booked('svc_haircut')
  const { body, lines } = await eventOf(booking.id)
  expect(lines.slice(0, 3)).toEqual(['BEGIN:VCALENDAR', 'VERSION:2.0', expect.stringMatching(/^PRODID:.+/)])
  expect(lines).toContain(`UID:${booking.id}`)
  expect(lines).toContain(`DTSTAMP:${utc(booking.updated_at)}`)
  expect(body).toMatch(/END:VCALENDAR\r\n$/)
  expect(body.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
  expect(Math.max(...body.split('\r\n').map((line: string) => Buffer.byteLength(line)))).toBeLessThanOrEqual(75)
})

test.each([
  ['svc_consult', 'pending'],
  ['svc_massage', 'requires_action'],
])('[ICS-002] a booking of %s that is %s is no more than tentative', async (service, status) => {
  const booking = await booked(service)
  expect(booking.status).toBe(status)
  expect((await eventOf(booking.id)).status).toBe('TENTATIVE')
})

test('[ICS-004] [ICS-005] a moved booking keeps its UID, and each change of time or cancellation raises SEQUENCE', async () => {
  const booking = await booked('svc_haircut')
  const before = await eventOf(booking.id)
  await desk.update(booking.id, { notes: 'Ring the bell' })
  const noted = await eventOf(booking.id)
  expect(noted).toMatchObject({ uid: before.uid, sequence: before.sequence, start: before.start })
  const slot = (await desk.slots('svc_haircut')).at(-1)
  expect((await desk.reschedule(booking.id, slot)).data.booking.status).toBe('confirmed')
  const moved = await eventOf(booking.id)
  expect(moved).toMatchObject({ uid: before.uid, sequence: Number(before.sequence) + 1, status: 'CONFIRMED' })
  expect(moved.lines).toContain(`DTSTART:${utc(slot.start)}`)
  await desk.cancel(booking.id)
  const canceled = await eventOf(booking.id)
  expect(canceled).toMatchObject({ uid: before.uid, sequence: Number(moved.sequence) + 1, status: 'CANCELLED' })
})

test('[ICS-005] a booking that was given up because nobody approved it is canceled in the file as in the answer', async () => {
  const booking = await booked('svc_consult')
  const { now } = shop.time
  shop.time.now = new Date(Date.parse(booking.expires_at) + 1)
  expect(await eventOf(booking.id)).toMatchObject({ status: 'CANCELLED', sequence: 1 })
  shop.time.now = now
})

test('[ICS-006] a service at the buyer’s place has the delivery address for its location', async () => {
  const delivery_address = {
    line1: '5 Elm; Row',
    line2: 'Flat 2',
    city: 'New York',
    region: 'NY',
    postal_code: '10012',
  }
  const booking = await booked('svc_plumbing', { delivery_address: { ...delivery_address, country: 'US' } })
  expect((await eventOf(booking.id)).location).toBe('5 Elm; Row, Flat 2, New York, NY 10012, US')
})

test.each([
  ['its link', 'svc_zoom', 'https://zoom.example/j/42?pwd=a,b', 'Zoom; "Pro"'],
  ['the number to dial', 'svc_hotline', 'tel:+1-212-555-0100', 'Online'],
])('[ICS-007] CONFERENCE is %s, under the name of who carries it', async (_, service, address, label) => {
  const { event } = await eventOf((await booked(service)).id)
  const conference = event.getFirstProperty('conference')
  expect(conference?.getFirstValue()).toBe(address)
  expect(conference?.getFirstParameter('label')).toBe(label)
  expect(conference?.type).toBe('uri')
})

test('[ICS-007] where a virtual service has no link of its own, joining starts at the page of the booking', async () => {
  const booking = await booked('svc_video')
  const { event, description } = await eventOf(booking.id)
  expect(event.getFirstProperty('conference')?.getFirstValue()).toBe(booking.booking_url)
  expect(event.getFirstProperty('conference')?.getFirstParameter('label')).toBe('Google Meet')
  expect(description).toContain('We send you a link.')
})

test('[ICS-007] what takes place on the spot has no CONFERENCE', async () => {
  expect((await eventOf((await booked('svc_haircut')).id)).names).not.toContain('conference')
})

test('[ICS-008] the images of the service, and no other media, are IMAGE', async () => {
  const { event } = await eventOf((await booked('svc_media')).id)
  const images = event.getAllProperties('image')
  expect(images.map((image) => image.getFirstValue())).toEqual([
    'https://pictures.example/a,b;c.png',
    'https://pictures.example/hero?size=2',
  ])
  expect(images.map((image) => image.getFirstParameter('fmttype'))).toEqual(['image/png', undefined])
})

test('[ICS-010] nothing that a buyer writes adds a property or an event', async () => {
  const evil =
    'END:VEVENT\r\nBEGIN:VEVENT\nATTENDEE:mailto:x@example.com\rX-EVIL:1\u2028X-EVIL:2\u0085X-EVIL:3\\nX-EVIL:4;,"'
  const people = { ...buyer, first_name: evil, last_name: evil }
  const plain = await eventOf((await booked('svc_plumbing', { delivery_address: address('Elm Row'), notes: 'Hi' })).id)
  const booking = await booked('svc_plumbing', {
    buyer: people,
    recipient: people,
    delivery_address: address(evil),
    notes: evil,
  })
  const { names, description, location, body, lines } = await eventOf(booking.id)
  expect(names).toEqual(plain.names)
  expect(lines.map((line) => line.split(/[:;]/)[0])).toEqual(plain.lines.map((line) => line.split(/[:;]/)[0]))
  expect(body).not.toMatch(/[\u0085\u2028]/)
  expect(description).toContain(evil.replace(/\r\n|[\r\u2028\u0085]/g, '\n'))
  expect(location).toContain(evil.replace(/\r\n|[\r\n\u2028\u0085]/g, ' '))
})

const address = (line1: string) => ({ line1, city: 'New York', postal_code: '10012', country: 'US' })

test('[ICS-004] a booking that is made longer at the desk keeps its event, with its new end and a higher SEQUENCE', async () => {
  const booking = await booked('svc_haircut')
  const before = await eventOf(booking.id)
  const end = new Date(Date.parse(booking.slot.end) + 15 * 60_000).toISOString()
  const { data } = await desk.call('usp_business_bookings_adjust', { booking_id: booking.id, end }, { as: shop.staff })
  const after = await eventOf(booking.id)
  expect([after.uid, after.sequence]).toEqual([before.uid, Number(before.sequence) + 1])
  expect(after.lines).toContain(`DTEND:${utc(data.booking.slot.end)}`)
  expect(data.booking.slot.end).not.toBe(booking.slot.end)
})
