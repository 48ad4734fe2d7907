import { describe, expect, test } from 'vitest'
import { claimPayment } from '../../../src/domain/bookings/report-payment-by-buyer.ts'
import { dateIn, daysLater } from '../../../src/infra/time/time-zone.ts'
import { bookingActions } from '../../../src/interfaces/desk/booking-actions.ts'
import { neededRole } from '../../../src/pipeline/check-permissions.ts'
import { roles } from '../../../src/protocol/caller-types.ts'
import { service } from '../../support/definitions.ts'
import { deskDefinition, deskSalon, tokenOf } from './receptionist.ts'

const { shop, signedIn, booked, platform } = await deskSalon()
const { db } = shop.runtime
const owner = await signedIn('owner')
const statusOf = async (id: string) =>
  (await db.selectFrom('bookings').select('status').where('id', '=', id).executeTakeFirstOrThrow()).status
const offered = (body: string) => [...body.matchAll(/name="do" value="(\w+)"/g)].map(([, act]) => act)
const page = (id: string) => `/desk/bookings/${id}`
const pay = async (id: string, form: Record<string, string>) =>
  owner.send(`${page(id)}/pay`, { form: tokenOf((await owner.open(page(id))).body), ...form })

test('a day shows who comes when and to whom, and leads to the booking', async () => {
  const { booking } = await booked('svc_auto')
  const date = booking.slot.start.slice(0, 10)
  const { body } = await owner.open(`/desk?date=${date}`)
  expect(body).toMatch(new RegExp(`<a href="${page(booking.id)}">.*Alice Williams`))
  const [resource] = booking.resources
  expect(body).toContain(`<span class="name">${resource.name}</span>`)
  expect((await owner.open('/desk?date=nonsense')).status).toBe(200)
})

test('a booking leads to whoever made it and to nobody else, whatever stands in their address', async () => {
  const words = '"><a href="https://evil.example">Pay</a>'
  const buyer = { first_name: words, last_name: words, email: 'sales?bcc=eve&body=x@example.com' }
  const { booking } = await booked('svc_auto', { buyer: { ...buyer, phone_number: '+1 (212) 555-0123' }, notes: words })
  const [, main = ''] = (await owner.open(page(booking.id))).body.split('<main')
  const links = [...main.matchAll(/\shref="([^"]*)"/g)].map(([, href = '']) => href)
  expect(links.filter((href) => !href.startsWith('/'))).toEqual([
    'tel:+12125550123',
    'mailto:sales%3Fbcc%3Deve%26body%3Dx@example.com',
  ])
})

test('[what is known of a booking] has a line each, and what is not known has none', async () => {
  const facts = async (id: string) => {
    const { body } = await owner.open(page(id))
    const [, list = ''] = /<dl>(.*?)<\/dl>/s.exec(body) ?? []
    return new Map([...list.matchAll(/<dt>([^<]*)<\/dt><dd>(.*?)<\/dd>/gs)].map(([, name, text = '']) => [name, text]))
  }
  const { booking } = await booked('svc_auto')
  const plain = await facts(booking.id)
  expect([...plain.keys()]).toEqual(['What', 'When', 'With', 'Where', 'Booked by', 'Price', 'Amount due'])
  expect(plain.get('With')).toContain(booking.resources[0].name)
  const recipient = { first_name: 'Rita', last_name: 'Rees', email: 'rita@example.com' }
  const paid = (await booked('svc_paid', { recipient, notes: 'By the door.' })).booking
  await pay(paid.id, { amount: '50.00', kind: 'cash' })
  const full = await facts(paid.id)
  expect([...full.keys()]).toEqual(['What', 'When', 'Where', 'Booked by', 'For', 'Note', 'Price', 'Paid', 'Amount due'])
})

test('[money that came in] is what goes back, and is not called due any more', async () => {
  const back = 'The customer gets back the full amount paid'
  const open = async (id: string) => {
    const { body } = await owner.open(page(id))
    return [body.includes(back), body.includes(`${page(id)}/refund`), body.includes('<dt>Amount due</dt>')]
  }
  const { booking } = await booked('svc_paid')
  expect(await open(booking.id)).toEqual([false, false, true])
  await shop.runtime.makeChange((tx) => claimPayment(tx, booking.id, shop.time.now))
  expect((await owner.open(page(booking.id))).body).toContain('<dt>Payment reported</dt>')
  await pay(booking.id, { amount: '75.00', kind: 'cash' })
  expect(await open(booking.id)).toEqual([true, true, false])
  expect((await owner.open(page(booking.id))).body).not.toContain('<dt>Payment reported</dt>')
})

test('[who cannot be reached] has no link to mail them, and who was erased no page of a customer', async () => {
  const { booking } = await booked('svc_auto', {
    buyer: { first_name: 'No', last_name: 'Mail', email: 'x@nowhere.invalid' },
  })
  const known = (await owner.open(page(booking.id))).body
  expect(known).not.toContain('mailto:')
  expect(known).toContain(`href="/desk/customers/${booking.id}"`)
  await owner.send(page(booking.id), { do: 'cancel' })
  await platform.call('usp_business_bookings_erase', { booking_id: booking.id }, { as: await shop.staffAs('owner') })
  const erased = (await owner.open(page(booking.id))).body
  expect(erased).not.toContain('Mail</')
  expect(erased).not.toContain(`href="/desk/customers/${booking.id}"`)
})

test('what is asked for is in the inbox, and is confirmed or declined with a word', async () => {
  const [first, second] = [await booked('svc_asked'), await booked('svc_asked')]
  const inbox = (await owner.open('/desk/inbox')).body
  for (const { booking } of [first, second]) expect(inbox).toContain(page(booking.id))
  expect(offered((await owner.open(page(first.booking.id))).body)).toEqual(['confirm', 'decline'])
  const { headers } = await owner.send(page(first.booking.id), { do: 'confirm', word: 'Bring a picture.' })
  expect(headers.location).toBe(page(first.booking.id))
  await owner.send(page(second.booking.id), { do: 'decline', word: 'We are away.' })
  expect([await statusOf(first.booking.id), await statusOf(second.booking.id)]).toEqual(['confirmed', 'canceled'])
  const told = (await platform.get(second.booking.id)).data.booking
  expect(told.cancellation).toMatchObject({ canceled_by: 'business', reason: 'We are away.' })
  expect((await owner.open('/desk/inbox')).body).not.toContain(page(second.booking.id))
})

test.each(['__proto__', 'constructor', 'nothing'])('there is no act called %s', async (name) => {
  const { booking } = await booked('svc_auto')
  expect((await owner.send(page(booking.id), { do: name })).status).toBe(403)
})

test.each(['2026-13-45', '2026-02-30', 'soon'])('a day that there is not (%s) is today', async (date) => {
  const { booking } = await booked('svc_auto')
  for (const path of [
    '/desk?',
    '/desk/book?service=svc_auto&',
    `${page(booking.id)}/move?`,
    '/desk/away?with=staff_ann&',
  ])
    expect([path, (await owner.open(`${path}date=${date}`)).status]).toEqual([path, 200])
})

test('who says to have paid is in the inbox until somebody at the desk says that it came in', async () => {
  const { booking } = await booked('svc_paid')
  await shop.runtime.makeChange((tx) => claimPayment(tx, booking.id, shop.time.now))
  const inbox = async () =>
    (await owner.open('/desk/inbox')).body.split('<h2>').find((part: string) => /^Payments/.test(part)) ?? ''
  expect(await inbox()).toMatch(new RegExp(`^Payments to confirm.*${page(booking.id)}`, 's'))
  expect((await owner.open(page(booking.id))).body).toContain('<dt>Payment reported</dt><dd>')
  await pay(booking.id, { amount: '75.00', kind: 'transfer' })
  expect(await statusOf(booking.id)).toBe('confirmed')
  expect(await inbox()).not.toContain(page(booking.id))
})

async function claimed() {
  const { booking } = await booked('svc_paid')
  await shop.runtime.makeChange((tx) => claimPayment(tx, booking.id, shop.time.now))
  return booking
}

test('one button confirms a payment that the buyer reported, and another ends the booking and tells the buyer why', async () => {
  const [came, missing] = [await claimed(), await claimed()]
  expect(offered((await owner.open(page(came.id))).body)).toEqual(['paid', 'not_paid', 'cancel'])
  await owner.send(page(came.id), { do: 'paid' })
  await owner.send(page(missing.id), { do: 'not_paid' })
  expect([await statusOf(came.id), await statusOf(missing.id)]).toEqual(['confirmed', 'canceled'])
  expect((await platform.get(missing.id)).data.booking.cancellation).toMatchObject({
    canceled_by: 'business',
    reason: 'We did not receive your payment.',
  })
  expect(offered((await owner.open(page(came.id))).body)).not.toContain('not_paid')
})

test('a page that another person answered meanwhile ends nothing, and a buyer who reported nothing is not asked about', async () => {
  const booking = await claimed()
  await pay(booking.id, { amount: '75.00', kind: 'transfer' })
  expect((await owner.send(page(booking.id), { do: 'not_paid' })).status).toBe(409)
  expect(await statusOf(booking.id)).toBe('confirmed')
  const { booking: silent } = await booked('svc_paid')
  expect(offered((await owner.open(page(silent.id))).body)).not.toContain('paid')
  expect((await owner.send(page(silent.id), { do: 'paid' })).status).toBe(409)
})

test('somebody arrives, and it is done; the journal says who pressed', async () => {
  const { booking } = await booked('svc_auto')
  for (const [act, status] of [
    ['start', 'in_progress'],
    ['complete', 'completed'],
  ] as const) {
    await owner.send(page(booking.id), { do: act })
    expect(await statusOf(booking.id)).toBe(status)
  }
  expect(offered((await owner.open(page(booking.id))).body)).not.toContain('cancel')
  const changes = await db
    .selectFrom('changes')
    .select(['actor', 'action'])
    .where('subject', '=', `booking ${booking.id}`)
    .execute()
  expect(changes).toContainEqual({ actor: `staff:${owner.who.id}`, action: 'complete' })
})

test('[the story of a booking] says in words what was done, by whom, from when to when', async () => {
  const { booking } = await booked('svc_auto')
  await owner.send(`${page(booking.id)}/move`, { start: '2026-12-02T15:00', with: 'staff_bob' })
  await owner.send(page(booking.id), { do: 'cancel', word: 'Ill' })
  const story = async (headers = {}) =>
    (await owner.open(page(booking.id), headers)).body.split('<ol class="story">')[1]?.replace(/\s+/g, ' ')
  expect(await story()).toMatch(
    /<li>Booked · Confirmed<br>.*<li>Rescheduled · .* – Wed, Dec 2, 3:00 PM<br>.*<li>Canceled/,
  )
  expect(await story()).toContain(` · ${owner.who.name}</span>`)
  expect(await story({ 'accept-language': 'de' })).toMatch(/<li>Gebucht.*<li>Verschoben.*<li>Storniert/)
})

test('money taken at the counter is entered, and what was pressed too early is said to be', async () => {
  const { booking } = await booked('svc_paid')
  await pay(booking.id, { amount: '75.00', kind: 'card' })
  expect(await statusOf(booking.id)).toBe('confirmed')
  const [row] = await db
    .selectFrom('payments')
    .select(['source', 'reported_by'])
    .where('booking_id', '=', booking.id)
    .execute()
  expect(row).toEqual({ source: 'staff', reported_by: `staff:${owner.who.id}` })
  expect((await owner.open(page(booking.id))).body).not.toContain('value="no_show"')
  const early = await owner.send(page(booking.id), { do: 'no_show' })
  expect([early.status, early.body.includes('role="alert"')]).toEqual([409, true])
  await owner.send(page(booking.id), { do: 'cancel', word: 'Ill' })
  expect(await statusOf(booking.id)).toBe('canceled')
})

test('bookings are found by name, number and reference', async () => {
  const buyer = { first_name: 'Zoë', last_name: 'Quill', email: 'zoe@example.com', phone_number: '+12125559876' }
  const { booking } = await booked('svc_auto', { buyer })
  for (const query of ['quill', '5559876', 'zoe@', booking.id])
    expect((await owner.open(`/desk/bookings?${new URLSearchParams({ query })}`)).body).toContain(page(booking.id))
  expect((await owner.open('/desk/bookings?query=nobody-of-this-name')).body).toContain('Nothing found.')
  const { status, body } = await owner.open(page('bkg_none'))
  expect([status, body.includes('<nav ')]).toEqual([404, true])
})

test.each(roles)('[role by role] what is not for a %s is neither shown nor possible', async (role) => {
  const one = await signedIn(role)
  for (const [key, act] of Object.entries(bookingActions)) {
    const isAllowed = roles.indexOf(role) <= roles.indexOf(neededRole(act.operation))
    const service = { confirm: 'svc_asked', decline: 'svc_asked' }[key] ?? 'svc_auto'
    const { booking } = await booked(service)
    if (key === 'complete') await owner.send(page(booking.id), { do: 'start' })
    const { now } = shop.time
    if (key === 'no_show') shop.time.now = new Date(booking.slot.start)
    const before = await statusOf(booking.id)
    expect([key, offered((await one.open(page(booking.id))).body).includes(key)]).toEqual([key, isAllowed])
    const { status } = await one.send(page(booking.id), { do: key })
    if (!isAllowed) expect([key, status, await statusOf(booking.id)]).toEqual([key, 403, before])
    else expect([303, 409]).toContain(status)
    shop.time.now = now
    await owner.send(page(booking.id), { do: 'cancel' })
  }
})

test('who calls is booked at one of the next free times, and what is taken by then is told above what was written', async () => {
  const { body } = await owner.open('/desk/book?service=svc_auto')
  // Who comes is asked first. Of the days one is chosen, and those without a free time cannot be.
  expect(body.indexOf('id="first_name"')).toBeLessThan(body.indexOf('class="day-strip"'))
  const strip = /<div class="day-strip".*?<\/div>/s.exec(body)?.[0] ?? ''
  const days = [...strip.matchAll(/ name="(day|week)"[^>]* value="([\d-]+)"( checked| disabled)?/g)]
  const week = Array.from({ length: 7 }, (_, nth) =>
    daysLater(dateIn('America/New_York', shop.time.now.getTime()), nth),
  )
  expect(days.map(([, , date]) => date)).toEqual(week)
  expect(days.filter(([, , , state]) => state === ' checked')).toHaveLength(1)
  // What the list has no room for is read by a press on its day.
  expect(days.at(-1)?.[1]).toBe('week')
  const listed = [...body.matchAll(/ data-day="(\d)"/g)].map(([, nth]) => days[Number(nth)])
  expect(listed).toEqual(days.filter(([, name, , state]) => name === 'day' && state !== ' disabled'))
  const slots = [...body.matchAll(/name="slot:[\d-]+" value="([^"]+)"/g)].map(([, slot = '']) => slot)
  const form = { service: 'svc_auto', slot: slots.at(-1) ?? '', first_name: 'Carla', phone_number: '+12125550123' }
  for (const [id, label, value] of [
    ['phone_number', 'Phone number', 'soon'],
    ['email', 'Email address', 'nowhere'],
    ['first_name', 'First name', '\u200b'],
  ] as const) {
    const wrong = await owner.send('/desk/book', { ...form, [id]: value })
    expect([
      wrong.status,
      wrong.body.includes(`role="alert">Please check this field:<ul><li><a href="#${id}">${label}</a>: `),
    ]).toEqual([409, true])
    expect(wrong.body).toMatch(new RegExp(`<input id="${id}"[^>]* aria-invalid="true" aria-describedby="${id}-error"`))
  }
  const { headers } = await owner.send('/desk/book', form)
  const booking = (await owner.open(headers.location ?? '')).body
  expect(booking).toContain('Carla')
  expect(booking).toContain('tel:+12125550123')
  const again = await owner.send('/desk/book', { ...form, first_name: 'Dora' })
  expect([again.status, again.body.includes('role="alert"'), again.body.includes('value="Dora"')]).toEqual([
    409,
    true,
    true,
  ])
  expect((await owner.open('/desk/book?service=svc_none')).status).toBe(404)
})

test('a time of another day than the one that is shown is not booked by mistake', async () => {
  const { body } = await owner.open('/desk/book?service=svc_auto')
  const [today = '', other = ''] = [...body.matchAll(/ id="day-\d" value="([\d-]+)"(?: checked)?>/g)].map(
    ([, date]) => date,
  )
  const slot = new RegExp(`name="slot:${today}" value="([^"]+)" checked`).exec(body)?.[1] ?? ''
  const form = { service: 'svc_auto', [`slot:${today}`]: slot, first_name: 'Dora', day: other }
  const refused = await owner.send('/desk/book', form)
  expect(refused.status).toBe(409)
  expect(refused.body).toMatch(/role="alert">Choose a time</)
  expect(refused.body).toContain('value="Dora"')
  expect(refused.body).toContain(`value="${other}" checked>`)
  const { headers } = await owner.send('/desk/book', { ...form, day: today })
  const id = headers.location?.split('/').at(-1) ?? ''
  const made = await db.selectFrom('bookings').select('starts_at').where('id', '=', id).executeTakeFirst()
  expect(dateIn('America/New_York', made?.starts_at.getTime() ?? 0)).toBe(today)
  await owner.send(page(id), { do: 'cancel' })
})

test('a pressed time stays with its day when another week or another day is chosen', async () => {
  const gap = '/desk/book?date=2026-11-20&with=staff_bob&service=svc_auto&at=17:10'
  const { body } = await owner.open(gap)
  expect(body).toContain('name="slot:2026-11-20" value="at:2026-11-20T17:10" checked')
  const sent = { service: 'svc_auto', with: 'staff_bob', date: '2026-11-20', at: '17:10', first_name: 'Dora' }
  const exact = { 'slot:2026-11-20': 'at:2026-11-20T17:10' }
  const later = await owner.send('/desk/book', { ...sent, ...exact, day: '2026-11-20', week: '2026-11-27' })
  expect(later.body).not.toContain('17:10')
  const other = await owner.send('/desk/book', { ...sent, ...exact, day: '2026-11-23' })
  expect([other.status, other.body.includes('Choose a time')]).toEqual([409, true])
  expect(other.body).toContain('value="2026-11-23" checked>')
})

test('another week keeps what was written', async () => {
  const { body } = await owner.open('/desk/book?service=svc_auto')
  const today = dateIn('America/New_York', shop.time.now.getTime())
  const next = /<button class="plain icon-only" name="week" value="([\d-]+)" formnovalidate>/.exec(body)?.[1] ?? ''
  const form = { service: 'svc_auto', first_name: 'Dora', notes: 'By the window', week: next }
  const { status, body: later } = await owner.send('/desk/book', form)
  expect(status).toBe(200)
  expect(later).toContain(`id="day-0" value="${next}"`)
  expect([later.includes('value="Dora"'), later.includes('value="By the window"')]).toEqual([true, true])
  expect(later).toContain(`name="week" value="${today}"`)
})

test('what the staff noted about a customer is read while booking', async () => {
  const { booking } = await booked('svc_auto', {
    buyer: { first_name: 'Nils', last_name: 'Noted', email: 'nils@example.com' },
  })
  const found = await owner.open(`/desk/customers?${new URLSearchParams({ query: 'noted', service: 'svc_auto' })}`)
  const id = /[?&;]for=([\w-]+)/.exec(found.body)?.[1] ?? ''
  const noted = await owner.send(`/desk/customers/${id}`, { do: 'note', note: 'Allergic to ammonia', tags: 'allergy' })
  const { body } = await owner.open(`/desk/book?service=svc_auto&for=${noted.headers.location?.split('/').at(-1)}`)
  expect(body).toMatch(/<p class="note"><strong>Nils Noted<\/strong>.*allergy.*Allergic to ammonia<\/p>/s)
  await owner.send(page(booking.id), { do: 'cancel' })
})

test('a gap in somebody’s day leads to what they do, with the time that was pressed chosen', async () => {
  const { body } = await owner.open('/desk?date=2026-12-08')
  expect([...body.matchAll(/>Add booking with (\w+)<\/a>/g)].map(([, name]) => name)).toEqual(['Ann', 'Bob', 'Cat'])
  const gap = '/desk/book?date=2026-12-08&with=staff_cat'
  expect(body).toMatch(
    new RegExp(`<ol [^>]*data-book="${gap.replace('?', '\\?').replace('&', '&amp;')}"[^>]* data-first="09:00"`),
  )
  const services = (await owner.open(`${gap}&at=11:15`)).body
  expect([...services.matchAll(/service=(\w+)/g)].map(([, id]) => id)).toEqual(['svc_cat'])
  const times = (await owner.open(`${gap}&at=11:15&service=svc_cat`)).body
  expect(chosenIn(times)).toEqual(['11:15 AM'])
  expect(times).toContain('<input type="hidden" name="with" value="staff_cat">')
  const viewer = await signedIn('viewer')
  expect((await viewer.open('/desk?date=2026-12-08')).body).not.toContain('/desk/book?')
})

/** The times that are chosen when the form opens. */
const chosenIn = (body: string) => [...body.matchAll(/checked[^>]*> ([^<]*)/g)].map(([, time = '']) => time.trim())

test('[no notice for staff] a gap that begins before the notice of the service can be booked, at the minute that was pressed', async () => {
  // Seven in the morning of a Friday, and two hours of notice.
  const gap = '/desk/book?date=2026-11-20&with=staff_bob&service=svc_auto'
  expect(chosenIn((await owner.open(`${gap}&at=08:00`)).body)).toEqual(['8:00 AM'])
  const { body } = await owner.open(`${gap}&at=07:45`)
  expect(chosenIn(body)).toEqual(['7:45 AM'])
  // The slots that buyers are offered begin at nine.
  expect(/name="slot:[\d-]+" value="slot_[^>]*> ([^<]*)/.exec(body)?.[1]?.trim()).toBe('7:00 AM')
  const [, slot = ''] = /name="slot:[\d-]+" value="([^"]+)" checked/.exec(body) ?? []
  const form = { service: 'svc_auto', with: 'staff_bob', date: '2026-11-20', at: '07:45', slot, first_name: 'Early' }
  const { headers } = await owner.send('/desk/book', form)
  const id = headers.location?.split('/').at(-1) ?? ''
  const made = db.selectFrom('bookings').select(['starts_at', 'resource_ids']).where('id', '=', id)
  expect(await made.executeTakeFirst()).toEqual({
    starts_at: new Date('2026-11-20T12:45:00Z'),
    resource_ids: ['staff_bob'],
  })
  const again = (await owner.send('/desk/book', { ...form, first_name: 'Late' })).body
  expect(again).toMatch(/role="alert"/)
  expect(again).toContain('value="Late"')
  expect(chosenIn(again)).toEqual([])
  await owner.send(`/desk/bookings/${id}`, { do: 'cancel' })
})

test('[walk-in] the current time is a choice, with each person who is free at this minute', async () => {
  shop.minutesLater(7)
  const address = '/desk/book?service=svc_auto'
  const now = async (query = '') =>
    [
      ...(await owner.open(address + query)).body.matchAll(/value="(at:[^"]+)"> <span class="sr">Now <.span>([^<]+)</g),
    ].map(([, value, name]) => [value, name])
  const [ann, bob] = [
    ['at:2026-11-20T07:05 staff_ann', 'Ann'],
    ['at:2026-11-20T07:05 staff_bob', 'Bob'],
  ]
  expect(await now()).toEqual([ann, bob])
  expect(await now('&with=staff_bob')).toEqual([bob])
  expect(await now('&date=2026-11-21')).toEqual([])
  const form = { service: 'svc_auto', first_name: 'Walter', day: '2026-11-20', 'slot:2026-11-20': String(bob?.[0]) }
  const { headers } = await owner.send('/desk/book', form)
  const id = headers.location?.split('/').at(-1) ?? ''
  const made = db.selectFrom('bookings').select(['starts_at', 'resource_ids']).where('id', '=', id)
  expect(await made.executeTakeFirst()).toEqual({
    starts_at: new Date('2026-11-20T12:05:00Z'),
    resource_ids: ['staff_bob'],
  })
  expect(await now()).toEqual([ann])
  const again = await owner.send('/desk/book', form)
  expect([again.status, chosenIn(again.body)]).toEqual([409, []])
  await owner.send(page(id), { do: 'cancel' })
  shop.minutesLater(-7)
})

test('[walk-in] the current time is no choice if the only room is taken, and a press on it names who has the room', async () => {
  const withRoom = (id: string, staff: string) =>
    service(id, {
      locations: ['loc_here'],
      name: id,
      resources: [
        { type: 'staff', options: [staff], selectable: true },
        { type: 'room', options: ['room_one'] },
      ],
    })
  const resources = [
    ...(deskDefinition.resources ?? []),
    { id: 'room_one', type: 'room' as const, name: 'Room', locations: ['loc_here'] },
  ]
  const services = [withRoom('svc_facial', 'staff_ann'), withRoom('svc_peeling', 'staff_bob')]
  const spa = await deskSalon({}, { ...deskDefinition, resources, services })
  spa.shop.minutesLater(7)
  const staff = await spa.signedIn('owner')
  const nowFor = async (id: string) =>
    String((await staff.open(`/desk/book?service=${id}`)).body).includes('value="at:')
  expect([await nowFor('svc_facial'), await nowFor('svc_peeling')]).toEqual([true, true])
  const time = { start: '2026-11-20T07:05:00-05:00', override: ['booking_window'] }
  const wanted = { service_id: 'svc_facial', buyer: { first_name: 'Rita' }, ...time }
  const { data } = await spa.platform.call('usp_business_bookings_create', wanted, { as: spa.shop.staff })
  expect(data.booking?.status).toBe('confirmed')
  expect([await nowFor('svc_facial'), await nowFor('svc_peeling')]).toEqual([false, false])
  const { body } = await staff.open('/desk/book?service=svc_peeling&with=staff_bob&date=2026-11-20&at=07:05')
  expect(body).toMatch(/role="alert">7:05 AM cannot be booked\. Choose another time\.<br>This time is not free:/)
  expect(body).toContain(`/desk/bookings/${data.booking.id}`)
})

test('[nothing is moved] a pressed time that is taken or outside the hours is named, and no other is chosen for it', async () => {
  const { booking } = await booked('svc_cat')
  const day = booking.slot.start.slice(0, 10)
  const gap = `/desk/book?date=${day}&with=staff_cat&service=svc_cat`
  const taken = (await owner.open(`${gap}&at=${booking.slot.start.slice(11, 16)}`)).body
  expect(taken).toMatch(/role="alert">[^<]+ cannot be booked\. Choose another time\.<br>This time is not free:/)
  expect(taken).toContain(`/desk/bookings/${booking.id}`)
  expect(chosenIn(taken)).toEqual([])
  const closed = (await owner.open(`${gap}&at=21:00`)).body
  expect(closed).toMatch(/role="alert">9:00 PM cannot be booked\..* is not available then/s)
  expect(chosenIn(closed)).toEqual([])
  await owner.send(`/desk/bookings/${booking.id}`, { do: 'cancel' })
})

test('[role by role] a viewer books for nobody', async () => {
  const viewer = await signedIn('viewer')
  const { body } = await owner.open('/desk/book?service=svc_auto')
  const [, slot = ''] = /name="slot:[\d-]+" value="([^"]+)"/.exec(body) ?? []
  const before = await db.selectFrom('bookings').select('id').execute()
  expect((await viewer.open('/desk')).body).not.toContain('href="/desk/book"')
  expect((await viewer.send('/desk/book', { service: 'svc_auto', slot, first_name: 'Eve' })).status).toBe(403)
  expect(await db.selectFrom('bookings').select('id').execute()).toHaveLength(before.length)
})

describe('[a refused action] says why', () => {
  test('a no-show before the start names the time from which it is possible', async () => {
    const { booking } = await booked('svc_auto')
    const { status, body } = await owner.send(page(booking.id), { do: 'no_show' })
    expect([status, await statusOf(booking.id)]).toEqual([409, 'confirmed'])
    expect(body).toMatch(/role="alert">You can mark a no-show once the start time has passed: from [^<]+ EST</)
  })

  test('an action on a booking that somebody ended meanwhile names its status', async () => {
    const { booking } = await booked('svc_auto')
    await owner.send(page(booking.id), { do: 'cancel' })
    const { status, body } = await owner.send(page(booking.id), { do: 'start' })
    expect(status).toBe(409)
    expect(body).toContain('role="alert">That is no longer possible. The status of the booking is now: Canceled</p>')
  })
})

test('[an open booking] says what is open, whose turn it is and until when, in the list and on its page', async () => {
  const [paid, asked] = [(await booked('svc_paid')).booking, (await booked('svc_asked')).booking]
  const inbox = (await owner.open('/desk/inbox')).body
  for (const [{ id }, said] of [
    [paid, /Not paid yet: \$75\.00 by [^<]*\d/],
    [asked, /Waiting for you: answer by [^<]*\d/],
  ] as const) {
    expect(inbox).toMatch(new RegExp(`href="${page(id)}">(?:(?!</li>).)*${said.source}`, 's'))
    expect((await owner.open(page(id))).body).toMatch(new RegExp(`<strong>${said.source}`))
  }
  await shop.runtime.makeChange((tx) => claimPayment(tx, paid.id, shop.time.now))
  expect((await owner.open(page(paid.id))).body).toMatch(/<strong>Payment reported: check for \$75\.00 by /)
  expect((await owner.open('/desk/inbox')).body).toMatch(
    /Payments to confirm.*Payment reported: check for \$75\.00 by /s,
  )
})

test('[the list of bookings] shows those from today on before anybody searches', async () => {
  const desk = await deskSalon()
  const staff = await desk.signedIn('owner')
  const listed = (body: string) => [...body.matchAll(/href="\/desk\/bookings\/(bkg_[^"]*)"/g)].map(([, id]) => id)
  const empty = (await staff.open('/desk/bookings')).body
  expect(empty).toContain('No upcoming bookings.')
  expect(empty).toContain('href="/desk/book"')
  const [first, canceled, second] = [
    await desk.booked('svc_auto'),
    await desk.booked('svc_auto'),
    await desk.booked('svc_paid'),
  ]
  await staff.send(page(canceled.booking.id), { do: 'cancel' })
  const { body } = await staff.open('/desk/bookings')
  expect(body).toContain('<h2>Upcoming bookings</h2>')
  expect(listed(body).toSorted()).toEqual([first.booking.id, second.booking.id].toSorted())
})
