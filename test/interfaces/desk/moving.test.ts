import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { sendDueMails } from '../../../src/core/mails/mail-worker.ts'
import { roles } from '../../../src/protocol/caller-types.ts'
import { studio } from '../../desk/studio.ts'
import { deskSalon } from './receptionist.ts'

const { shop, signedIn, booked } = await deskSalon()
const owner = await signedIn('owner')
const page = (id: string) => `/desk/bookings/${id}/move`
const rowOf = (id: string) =>
  shop.runtime.db
    .selectFrom('bookings')
    .select(['starts_at', 'resource_ids', sql<string>`record #>> '{location,id}'`.as('place')])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
const startOf = async (id: string) => (await rowOf(id)).starts_at.toISOString()
const other = (id: string) => (id === 'staff_ann' ? 'staff_bob' : 'staff_ann')

test('a booking is given one of the next free times, and back what it was', async () => {
  const { booking } = await booked('svc_cat')
  const before = await rowOf(booking.id)
  const { body } = await owner.open(`${page(booking.id)}?date=2026-11-27`)
  const slot = [...body.matchAll(/name="slot" value="([^"]+)"/g)].at(-1)?.[1] ?? ''
  expect(body).toContain('>Cat · There</button>')
  const { headers } = await owner.send(page(booking.id), { slot })
  const moved = await rowOf(booking.id)
  expect(moved.starts_at.getTime()).toBeGreaterThan(before.starts_at.getTime())
  expect([before.place, moved.place]).toEqual(['loc_here', 'loc_there'])
  const { body: after } = await owner.open(headers.location ?? '')
  expect(after).toContain('Rescheduled from ')
  const form = /<form method="post" action="[^"]+\/move".*?<\/form>/s.exec(after)?.[0] ?? ''
  const fields = Object.fromEntries(
    [...form.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]),
  )
  await owner.send(page(booking.id), fields)
  expect(await rowOf(booking.id)).toEqual(before)
})

test('no link but ours says that something was moved, and none leads back once somebody else has changed it', async () => {
  const { booking } = await booked('svc_auto')
  const at = `/desk/bookings/${booking.id}`
  const { headers } = await owner.send(page(booking.id), { start: '2026-12-09T10:00' })
  const undo = new URL(headers.location ?? '', 'http://a').searchParams.get('undo') ?? ''
  const isOffered = async (as: typeof owner, url: string) => (await as.open(url)).body.includes('name="undo"')
  expect(await isOffered(owner, `${at}?undo=${undo}`)).toBe(true)
  expect(await isOffered(await signedIn('viewer'), `${at}?undo=${undo}`)).toBe(false)
  expect(await isOffered(owner, `${at}?undo=${undo.slice(0, -2)}AA`)).toBe(false)
  expect(await isOffered(owner, `/desk/bookings/${(await booked('svc_cat')).booking.id}?undo=${undo}`)).toBe(false)
  await owner.send(page(booking.id), { start: '2026-12-09T12:00' })
  expect(await isOffered(owner, `${at}?undo=${undo}`)).toBe(false)
  await owner.send(page(booking.id), { undo })
  expect(await startOf(booking.id)).toBe('2026-12-09T17:00:00.000Z')
})

test('the person alone is changed, and what is taken by whom is said with the way there', async () => {
  const { booking: one } = await booked('svc_auto')
  const { resource_ids: before } = await rowOf(one.id)
  const start = one.slot.start.slice(0, 16)
  await owner.send(page(one.id), { start, with: other(before[0] ?? '') })
  expect(await startOf(one.id)).toBe(new Date(one.slot.start).toISOString())
  expect((await rowOf(one.id)).resource_ids).toEqual([other(before[0] ?? '')])

  const { booking: two } = await booked('svc_auto')
  const [taken] = (await rowOf(one.id)).resource_ids
  const { status, body } = await owner.send(page(two.id), { start, with: taken ?? '' })
  expect(status).toBe(409)
  expect(body).toMatch(new RegExp(`role="alert">This time is not free:.*<a href="/desk/bookings/${one.id}">`, 's'))
  expect(body).toContain(`value="${start}"`)
})

test('[only what is a choice] is one in the form: people or places, if there are several, and what the booking has is chosen', async () => {
  const choices = async (service: string) => {
    const { booking } = await booked(service)
    const { body } = await owner.open(page(booking.id))
    const selects = [...body.matchAll(/<select id="[^"]*" name="([^"]*)">(.*?)<\/select>/gs)]
    const found = selects.map(([, name, list = '']) => [
      name,
      [...list.matchAll(/<option value="([^"]*)"/g)].map(([, value]) => value),
      [...list.matchAll(/<option value="([^"]*)" selected/g)].map(([, value]) => value),
    ])
    return { found, booking }
  }
  const { found, booking } = await choices('svc_auto')
  expect(found).toEqual([['with', ['staff_ann', 'staff_bob'], [booking.resources[0].id]]])
  expect((await choices('svc_cat')).found).toEqual([['place', ['loc_here', 'loc_there'], ['loc_here']]])
  expect((await choices('svc_paid')).found).toEqual([])
})

test('[only what is a choice] whoever comes without a choice of rooms may get any of them', async () => {
  const other = await deskSalon({}, studio)
  const { booking } = await other.booked('svc_room')
  const { body } = await (await other.signedIn('owner')).open(page(booking.id))
  const [, list = ''] = /<select id="with-0" name="with">(.*?)<\/select>/s.exec(body) ?? []
  expect([...list.matchAll(/<option value="([^"]*)"[^>]*>([^<]*)/g)].map(([, ...option]) => option)).toEqual([
    ['', 'Anyone available'],
    ['room_1', 'Room 1'],
    ['room_2', 'Room 2'],
  ])
})

test.each([
  ['outside the hours', 'svc_cat', '2026-11-24T20:00', 'is not available then'],
  ['at a time that is past', 'svc_auto', '2026-11-20T06:30', 'too soon'],
])('%s only where that is ticked', async (_, service, start, why) => {
  const { booking } = await booked(service)
  const refused = await owner.send(page(booking.id), { start })
  expect([refused.status, refused.body.includes(why)]).toEqual([409, true])
  // A tick stays where the form comes back for another reason.
  const isTicked = ({ body }: { body: string }) => / name="override" value="[^"]*" checked/.test(body)
  const soon = await owner.send(page(booking.id), { start: 'soon', override: 'all' })
  expect([isTicked(refused), soon.status, isTicked(soon)]).toEqual([false, 409, true])
  await owner.send(page(booking.id), { start, override: 'all' })
  expect(await startOf(booking.id)).toBe(new Date(`${start}-05:00`).toISOString())
})

test('[no notice for staff] a booking is moved to a time before the notice of its service without a tick', async () => {
  const { booking } = await booked('svc_auto')
  expect((await owner.send(page(booking.id), { start: '2026-11-20T07:30' })).status).toBe(303)
  expect(await startOf(booking.id)).toBe('2026-11-20T12:30:00.000Z')
})

test.each([
  ['nothing', {}],
  ['no time', { start: 'soon' }],
  ['no slot', { slot: 'none' }],
  ['somebody who never does it', { start: '2026-11-24T10:00', with: 'staff_none' }],
])('a form with %s is refused, and nothing is moved', async (_, form) => {
  const { booking } = await booked('svc_auto')
  const { status } = await owner.send(page(booking.id), form)
  expect([status, await startOf(booking.id)]).toEqual([409, new Date(booking.slot.start).toISOString()])
})

test('what is let go in the day is moved there with whom it was let go, and can be undone where one is', async () => {
  const { booking } = await booked('svc_auto')
  const before = await rowOf(booking.id)
  const [from = ''] = before.resource_ids
  const to = other(from)
  const { headers } = await owner.send(page(booking.id), { start: '2026-12-10T10:15', to, from, back: 'day' })
  expect(headers.location).toMatch(new RegExp(`^/desk\\?date=2026-12-10&moved=${booking.id}&undo=`))
  expect(await rowOf(booking.id)).toMatchObject({ starts_at: new Date('2026-12-10T15:15:00Z'), resource_ids: [to] })
  const { body } = await owner.open(headers.location ?? '')
  const undo = /name="undo" value="([^"]+)"/.exec(body)?.[1] ?? ''
  const undone = await owner.send(page(booking.id), { undo, back: 'day' })
  expect(undone.headers.location).toBe(`/desk?date=${booking.slot.start.slice(0, 10)}`)
  expect(await rowOf(booking.id)).toEqual(before)
})

test('a drag and its undo send the buyer no mail, and a drag alone sends one', async () => {
  const { booking } = await booked('svc_auto')
  const mails = async () => {
    await sendDueMails(shop.runtime)
    const { rows } = await sql<{ status: string }>`
      select status from mails where subject = ${`booking ${booking.id}`} and kind = 'booking.moved_by_business'
      order by number`.execute(shop.runtime.db)
    return rows.map(({ status }) => status)
  }
  const drag = { start: '2026-12-10T11:45', to: 'staff_ann', back: 'day' }
  const { headers } = await owner.send(page(booking.id), drag)
  expect(await mails()).toEqual(['waiting'])
  const undo = new URL(headers.location ?? '', 'http://a').searchParams.get('undo') ?? ''
  await owner.send(page(booking.id), { undo, back: 'day' })
  expect(await mails()).toEqual(['dropped'])
  await owner.send(page(booking.id), drag)
  shop.minutesLater(1)
  expect(await mails()).toEqual(['dropped', 'sent'])
})

test.each([
  ['day', '2026-12-10T09:30'],
  ['', '2026-12-11T09:30'],
])(
  'after a move the desk says whether the customer is notified, and one press changes it (%s)',
  async (back, start) => {
    const { booking } = await booked('svc_auto')
    const moved = await owner.send(page(booking.id), { start, back })
    expect(moved.status).toBe(303)
    const address = moved.headers.location ?? ''
    const undo = new URL(address, 'http://a').searchParams.get('undo') ?? ''
    const press = (notify: string) => owner.send(`/desk/bookings/${booking.id}/notify`, { notify, undo, back })
    const says = async () => /The customer [^<]+/.exec((await owner.open(address)).body)?.[0]
    expect(await says()).toBe('The customer will be notified shortly.')
    expect((await press('no')).headers.location).toBe(address)
    expect(await says()).toBe('The customer will not be notified.')
    const body = (await owner.open(address)).body
    expect(body).toMatch(/<button class="plain" name="notify" value="yes">Notify the customer<\/button>/)
    shop.minutesLater(2)
    await sendDueMails(shop.runtime)
    expect(await says()).toBe('The customer will not be notified.')
    expect((await press('yes')).headers.location).toBe(address)
    await sendDueMails(shop.runtime)
    expect(await says()).toBe('The customer has been notified.')
    expect((await owner.open(address)).body).not.toContain('name="notify"')
    expect((await press('no')).headers.location).toBe(address)
    expect((await owner.open(`/desk/bookings/${booking.id}`)).body).toContain('Customer notified of the new time')
    const viewer = await signedIn('viewer')
    expect((await viewer.send(`/desk/bookings/${booking.id}/notify`, { notify: 'no', undo, back })).status).toBe(403)
  },
)

test('what is taken up is put where it fits: between what others have, with what is kept free around', async () => {
  const { booking } = await booked('svc_cat')
  const day = '/desk?date=2026-12-08'
  const starts = async () => {
    const { body } = await owner.open(`${day}&put=${booking.id}`)
    return [...body.matchAll(/name="at" value="([^"]+)"/g)].map(([, at = '']) => at.replaceAll('&amp;', '&'))
  }
  const times = async () => (await starts()).map((at) => new URLSearchParams(at).get('start')?.slice(-5))
  expect((await times()).slice(0, 2)).toEqual(['09:00', '09:30'])
  expect((await times()).at(-1)).toBe('17:00')
  const { booking: inTheWay } = await booked('svc_cat')
  await owner.send(page(inTheWay.id), { start: '2026-12-08T10:10' })
  expect((await times()).slice(0, 3)).toEqual(['09:00', '11:10', '11:30'])
  const at = (await starts())[1] ?? ''
  expect((await owner.send(page(booking.id), { at })).headers.location).toContain('&moved=')
  expect(await startOf(booking.id)).toBe('2026-12-08T16:10:00.000Z')
  // Whoever may not move it sees the day as it is.
  const viewer = await signedIn('viewer')
  expect((await viewer.open(`${day}&put=${booking.id}`)).body).not.toContain('name="at"')
  expect((await owner.open(`${day}&put=bkg_none`)).status).toBe(200)
})

test('it takes longer or shorter where that is said, and what has the time is named', async () => {
  const { booking } = await booked('svc_cat')
  const { booking: next } = await booked('svc_cat')
  const at = `/desk/bookings/${booking.id}`
  const day = '2026-12-15T'
  await owner.send(page(booking.id), { start: `${day}09:00` })
  await owner.send(page(next.id), { start: `${day}10:30` })
  const ends = async () =>
    (
      await shop.runtime.db
        .selectFrom('bookings')
        .select('ends_at')
        .where('id', '=', booking.id)
        .executeTakeFirstOrThrow()
    ).ends_at.toISOString()
  expect((await owner.send(`${at}/length`, { end: `${day}10:30` })).headers.location).toBe(at)
  expect(await ends()).toBe('2026-12-15T15:30:00.000Z')
  const refused = await owner.send(`${at}/length`, { end: `${day}11:00` })
  expect([refused.status, refused.body.includes(`<a href="/desk/bookings/${next.id}">`)]).toEqual([409, true])
  for (const end of [`${day}08:00`, 'soon', '']) {
    const { status, body } = await owner.send(`${at}/length`, { end })
    expect([end, status, body.includes('Choose an end time that is after the start')]).toEqual([end, 409, true])
  }
  expect(await ends()).toBe('2026-12-15T15:30:00.000Z')
  const viewer = await signedIn('viewer')
  expect((await viewer.open(at)).body).not.toContain('/length"')
  expect((await viewer.send(`${at}/length`, { end: `${day}10:00` })).status).toBe(403)
})

test('[how long it takes] is changed of what stands or goes on, and of nothing else', async () => {
  const other = await deskSalon({}, studio)
  const jo = await other.signedIn('owner')
  const hasForm = async ({ id }: { id: string }) =>
    (await jo.open(`/desk/bookings/${id}`)).body.includes(`action="/desk/bookings/${id}/length"`)
  const { booking } = await other.booked('svc_cut')
  expect(await hasForm(booking)).toBe(true)
  await jo.send(`/desk/bookings/${booking.id}`, { do: 'start' })
  expect(await hasForm(booking)).toBe(true)
  await jo.send(`/desk/bookings/${booking.id}`, { do: 'complete' })
  expect(await hasForm(booking)).toBe(false)
  for (const service of ['svc_asked', 'svc_paid', 'svc_class'])
    expect([service, await hasForm((await other.booked(service)).booking)]).toEqual([service, false])
  // A class that is paid for stands, and still ends for everybody at once.
  const { booking: yoga } = await other.booked('svc_class')
  const links = async ({ id }: { id: string }) => {
    const { body } = await jo.open(`/desk/bookings/${id}`)
    return [body.includes(`href="${page(id)}"`), body.includes(`put=${id}"`)]
  }
  await other.platform.call('usp_business_bookings_mark_paid', { booking_id: yoga.id }, { as: other.shop.staff })
  expect((await other.platform.get(yoga.id)).data.booking.status).toBe('confirmed')
  expect(await hasForm(yoga)).toBe(false)
  // It is moved to another class, and not to any time in the calendar.
  expect([await links(yoga), await links((await other.booked('svc_cut')).booking)]).toEqual([
    [true, false],
    [true, true],
  ])
})

test.each(roles)('[role by role] what is not for a %s is neither shown nor possible: moving', async (role) => {
  const one = await signedIn(role)
  const { booking } = await booked('svc_auto')
  const isAllowed = role !== 'viewer'
  expect((await one.open(`/desk/bookings/${booking.id}`)).body.includes(`href="${page(booking.id)}"`)).toBe(isAllowed)
  expect((await one.open(page(booking.id))).status).toBe(isAllowed ? 200 : 403)
  const start = `2026-12-0${roles.indexOf(role) + 1}T06:00`
  const { status } = await one.send(page(booking.id), { start })
  const isMoved = (await startOf(booking.id)) === new Date(`${start}-05:00`).toISOString()
  expect([status, isMoved]).toEqual([isAllowed ? 303 : 403, isAllowed])
})

test('[a move page that was opened earlier] a booking that has started since stays, and its page says so', async () => {
  const { booking } = await booked('svc_auto')
  await owner.send(`/desk/bookings/${booking.id}`, { do: 'start' })
  for (const { status, body } of [
    await owner.open(page(booking.id)),
    await owner.send(page(booking.id), { start: '2026-12-09T13:00' }),
  ]) {
    expect(status).toBe(409)
    expect(body).toContain('That is no longer possible. The status of the booking is now: In progress')
    expect(body).toContain('In progress')
  }
  expect(await startOf(booking.id)).toBe(new Date(booking.slot.start).toISOString())
})
