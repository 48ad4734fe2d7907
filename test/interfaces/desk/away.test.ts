import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { verify } from '../../../src/core/ledger/verify-ledger.ts'
import { roles } from '../../../src/protocol/caller-types.ts'
import { studio } from '../../desk/studio.ts'
import { buyer } from '../../support/desk.ts'
import { deskSalon } from './receptionist.ts'

const { shop, platform, signedIn } = await deskSalon({ MAIL_FROM: 'salon@example.com', SMTP_URL: 'smtp://127.0.0.1:9' })
const owner = await signedIn('owner')
const { db } = shop.runtime
const rowOf = (id: string) => db.selectFrom('bookings').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const blocksOf = (date: string) =>
  db
    .selectFrom('blocks')
    .selectAll()
    .where('starts_at', '>=', new Date(`${date}T00:00-05:00`))
    .where('starts_at', '<', new Date(`${date}T23:59-05:00`))
    .execute()
const page = (date: string) => `/desk/away?with=staff_ann&date=${date}`

/** Books with Ann at this many of her times of the day. */
async function annsBookings(date: string, count: number): Promise<string[]> {
  const day = { resource_id: 'staff_ann', start_date: date, end_date: date }
  const ids: string[] = []
  for (let nth = 0; nth < count; nth++) {
    const [slot] = await platform.slots('svc_auto', day)
    const person = { ...buyer, first_name: `Guest${nth}`, email: `g${nth}.${date}@example.com` }
    const { data } = await platform.book(slot, { buyer: { ...person, phone_number: '+1 212 555 0199' } })
    ids.push(data.booking.id)
  }
  return ids
}

/** What the browser sends when the button is pressed: what is chosen, or stands in a field. */
function formIn(body: string): Record<string, string> {
  const form = /<form method="post" action="\/desk\/away".*?<\/form>/s.exec(body)?.[0] ?? ''
  const inputs = [...form.matchAll(/<input ([^>]*)>/g)].map(([, attributes = '']) => attributes)
  const valueIn = (text: string, name: string) =>
    new RegExp(`\\b${name}="([^"]*)"`).exec(text)?.[1]?.replaceAll('&amp;', '&') ?? ''
  return Object.fromEntries(
    inputs
      .filter((text) => !text.includes('type="radio"') || text.includes(' checked'))
      .map((text) => [valueIn(text, 'name'), valueIn(text, 'value')]),
  )
}

test('[a sick day] six bookings take three presses: the day, away, and one button', async () => {
  const ids = await annsBookings('2026-11-24', 6)
  const day = await owner.open('/desk?date=2026-11-24')
  const link = /<a href="([^"]+)">Block time for Ann<\/a>/.exec(day.body)?.[1] ?? ''
  expect(link).toContain('with=staff_ann')
  const { status, body } = await owner.open(link.replaceAll('&amp;', '&'))
  expect(status).toBe(200)
  expect(body.match(/<fieldset>/g)).toHaveLength(6)
  for (const nth of ids.keys()) expect(body).toContain(`href="mailto:g${nth}.2026-11-24@example.com"`)
  expect(body).toContain('href="tel:+12125550199"')

  const { status: done, headers } = await owner.send('/desk/away', { ...formIn(body), reason: 'Ill' })
  expect([done, headers.location]).toEqual([303, '/desk?date=2026-11-24'])
  for (const id of ids) {
    const { status: kept, resource_ids, revision } = await rowOf(id)
    expect([kept, resource_ids, revision]).toEqual(['confirmed', ['staff_bob'], 2])
  }
  expect(await blocksOf('2026-11-24')).toMatchObject([{ resource_id: 'staff_ann', reason: 'Ill' }])
  const { body: after } = await owner.open('/desk?date=2026-11-24')
  expect(after).toContain('<strong>Ill</strong>')
  const subjects = ids.map((id) => `booking ${id}`)
  const told = await db
    .selectFrom('mails')
    .select('subject')
    .where('subject', 'in', subjects)
    .where('kind', '=', 'booking.moved_by_business')
    .where('audience', '=', 'buyer')
    .execute()
  expect(told.map(({ subject }) => subject).toSorted()).toEqual(subjects.toSorted())
  expect((await verify(db, shop.time.now)).findings.listed).toEqual([])
})

test('of today it is from now until the end of the day, of another day all of it', async () => {
  const fields = async (url: string) => {
    const { body } = await owner.open(url)
    return [...body.matchAll(/type="datetime-local" name="\w+" value="([^"]+)"/g)].map(([, value]) => value)
  }
  expect(await fields('/desk/away?with=staff_ann')).toEqual(['2026-11-20T07:00', '2026-11-21T00:00'])
  expect(await fields(page('2026-12-24'))).toEqual(['2026-12-24T00:00', '2026-12-25T00:00'])
  const said = 'from=2026-12-24T10:15&to=2026-12-26T12:00'
  expect(await fields(`/desk/away?with=staff_ann&${said}`)).toEqual(['2026-12-24T10:15', '2026-12-26T12:00'])
})

test('one is canceled with a word, one stays, one is moved', async () => {
  const ids = await annsBookings('2026-11-25', 3)
  const form = formIn((await owner.open(page('2026-11-25'))).body)
  const [canceled = '', kept = '', moved = ''] = ids
  const other = (id: string, action: string) => {
    const to = new URLSearchParams(form[id])
    return String(new URLSearchParams({ action, revision: to.get('revision') ?? '' }))
  }
  const chosen = { [canceled]: other(canceled, 'cancel'), [kept]: other(kept, 'keep'), word: 'Ann is ill.' }
  expect((await owner.send('/desk/away', { ...form, ...chosen })).status).toBe(303)
  expect((await rowOf(canceled)).record).toMatchObject({ cancellation: { reason: 'Ann is ill.' } })
  expect((await rowOf(kept)).revision).toBe(1)
  expect((await rowOf(moved)).resource_ids).toEqual(['staff_bob'])
  expect(await blocksOf('2026-11-25')).toHaveLength(2)
})

test('what came in meanwhile is marked, nothing is done, and what was chosen stays chosen', async () => {
  const [first = ''] = await annsBookings('2026-11-26', 1)
  const form = formIn((await owner.open(page('2026-11-26'))).body)
  const keep = String(
    new URLSearchParams({ action: 'keep', revision: new URLSearchParams(form[first]).get('revision') ?? '' }),
  )
  const [second = ''] = await annsBookings('2026-11-26', 1)
  const { status, body } = await owner.send('/desk/away', { ...form, [first]: keep, reason: 'Ill' })
  expect([status, body.includes('role="alert">Some bookings have changed')]).toEqual([409, true])
  expect(await blocksOf('2026-11-26')).toEqual([])
  expect(body.match(/New or changed/g)).toHaveLength(1)
  const again = formIn(body)
  expect(again).toMatchObject({ [first]: keep, [second]: expect.stringContaining('action=move'), reason: 'Ill' })
  expect((await owner.send('/desk/away', again)).status).toBe(303)
  expect([(await rowOf(first)).revision, (await rowOf(second)).revision]).toEqual([1, 2])
})

test('what changed meanwhile is marked, and what was decided about it stays decided', async () => {
  const [id = ''] = await annsBookings('2026-12-16', 1)
  let form = formIn((await owner.open(page('2026-12-16'))).body)
  for (const action of ['cancel', 'keep']) {
    const revision = new URLSearchParams(form[id]).get('revision') ?? ''
    const decided = String(new URLSearchParams({ action, revision }))
    await platform.call('usp_business_bookings_correct', { booking_id: id, notes: action }, { as: shop.staff })
    const { status, body } = await owner.send('/desk/away', { ...form, [id]: decided })
    expect([action, status, body.match(/New or changed/g)?.length]).toEqual([action, 409, 1])
    form = formIn(body)
    expect(form[id]).toContain(`action=${action}`)
    expect(form[id]).not.toBe(decided)
  }
  expect(await blocksOf('2026-12-16')).toEqual([])
  expect((await owner.send('/desk/away', form)).status).toBe(303)
  expect([(await rowOf(id)).resource_ids, (await blocksOf('2026-12-16')).length]).toEqual([['staff_ann'], 1])
})

test('what somebody wrote stands below their name, and where no other time is free, that is said', async () => {
  const date = '2026-12-15'
  const [first = ''] = await annsBookings(date, 1)
  const open = async () => {
    const [, main = ''] = (await owner.open(page(date))).body.split('<main')
    return main
  }
  const plain = await open()
  expect([plain.includes('<p class="soft">'), plain.includes('No other time is free.')]).toEqual([false, false])
  const notes = 'By the <back> door'
  await platform.call('usp_business_bookings_correct', { booking_id: first, notes }, { as: shop.staff })
  expect(await open()).toContain('<p class="soft">By the &lt;back&gt; door</p>')
  // Nobody but Cat does it, and she is away as long as anything can be booked.
  const { data } = await platform.book((await platform.slots('svc_cat'))[0])
  const long = new URLSearchParams({ with: 'staff_cat', from: '2026-11-20T08:00', to: '2027-03-01T00:00' })
  const { body } = await owner.open(`/desk/away?${long}`)
  expect(body).toContain(`No other time is free. <a href="/desk/bookings/${data.booking.id}/move">`)
})

test('[nothing in the way] is said, and nobody is to be told anything', async () => {
  const { body } = await owner.open(page('2026-12-17'))
  expect(body).toContain('There are no bookings at this time.')
  expect(body).not.toMatch(/<fieldset>|name="word"|To give a class to another teacher/)
  await annsBookings('2026-12-17', 1)
  const { body: after } = await owner.open(page('2026-12-17'))
  expect(after).toContain('name="word"')
  expect(after).not.toMatch(/There are no bookings at this time|To give a class to another teacher/)
})

test('another time is looked at before anything is done, and what was written is what is blocked', async () => {
  const ids = await annsBookings('2026-11-30', 2)
  const form = formIn((await owner.open(page('2026-11-30'))).body)
  const second = (await rowOf(ids[1] ?? '')).starts_at.toISOString().slice(11, 16)
  const to = `2026-11-30T${String(Number(second.slice(0, 2)) - 5).padStart(2, '0')}:${second.slice(3)}`
  const { status, body } = await owner.send('/desk/away', { ...form, to, reason: 'Dentist', do: 'show' })
  expect([status, await blocksOf('2026-11-30')]).toEqual([200, []])
  const shorter = formIn(body)
  expect(shorter).toMatchObject({ to, reason: 'Dentist', [ids[0] ?? '']: expect.stringContaining('action=move') })
  expect(shorter).not.toHaveProperty(ids[1] ?? '')
  expect((await owner.send('/desk/away', { ...form, to })).status).toBe(303)
  expect((await blocksOf('2026-11-30')).map(({ ends_at }) => ends_at)).toEqual([(await rowOf(ids[1] ?? '')).starts_at])
  expect([(await rowOf(ids[0] ?? '')).revision, (await rowOf(ids[1] ?? '')).revision]).toEqual([2, 1])
})

test('a time that ends before it begins is refused, in a page that says so', async () => {
  const { status, body } = await owner.open('/desk/away?with=staff_ann&from=2026-12-24T10:15&to=2026-12-24T10:00')
  expect([status, body.includes('Choose an end after the start')]).toEqual([409, true])
})

test.each([
  ['nobody', '/desk/away'],
  ['somebody who is not here', '/desk/away?with=staff_none'],
])('for %s there is no page', async (_, url) => {
  expect((await owner.open(url)).status).toBe(404)
  expect((await owner.send('/desk/away', { with: 'staff_none' })).status).toBe(404)
})

test('who is here already stays, and is not asked about', async () => {
  const [id = ''] = await annsBookings('2026-11-27', 1)
  await platform.call('usp_business_bookings_start', { booking_id: id }, { as: shop.staff })
  const { body } = await owner.open(page('2026-11-27'))
  expect(body.match(/type="radio"/g)).toHaveLength(1)
  expect(formIn(body)[id]).toContain('action=keep')
  await owner.send('/desk/away', formIn(body))
  expect([(await rowOf(id)).status, (await blocksOf('2026-11-27')).length]).toEqual(['in_progress', 1])
})

test('a class that nobody takes part in is to be canceled; of any other a person decides', async () => {
  const other = await deskSalon({}, studio)
  const one = await other.signedIn('staff')
  const [slot] = await other.platform.slots('svc_class')
  const open = async () => {
    const { body } = await one.open(`/desk/away?with=staff_cat&date=${slot.start.slice(0, 10)}`)
    const id = /name="(ses_[^"]+)"/.exec(body)?.[1] ?? ''
    return { body, id, form: formIn(body) }
  }
  const empty = await open()
  expect(empty.form[empty.id]).toBe('action=cancel&taken=0')
  expect(empty.body).toContain('To give a class to another teacher')
  await other.platform.book(slot, { party_size: 2 })
  const { body, id, form } = await open()
  expect([form[id], body.includes('2/3')]).toEqual([undefined, true])
  // A browser asks for what is missing; whoever sends the form without it is shown it once more.
  expect((await one.send('/desk/away', form)).status).toBe(409)
  expect((await one.send('/desk/away', { ...form, [id]: 'action=cancel&taken=2' })).status).toBe(303)
  const { rows } = await sql`select id from sessions where id = ${id} and canceled_at is not null`.execute(
    other.shop.runtime.db,
  )
  expect(rows).toHaveLength(1)
})

test.each([
  ['9999-12-31', ''],
  ['0001-01-01', ''],
  ['', '9999-12-31T23:59'],
  ['', '0000-01-01T00:00'],
])('a day as far away as %s or %s is refused', async (date, from) => {
  const { status } = await owner.open(`/desk/away?${new URLSearchParams({ with: 'staff_ann', date, from })}`)
  expect([409, 422]).toContain(status)
})

test.each(['soon', '2026-13-45', '2026-11-24T10:00:00', '%00', '9999-99-99T99:99'])(
  '%s is no time: it is from now on',
  async (text) => {
    const query = new URLSearchParams({ with: 'staff_ann', date: text, from: text, to: text })
    expect((await owner.open(`/desk/away?${query}`)).status).toBe(200)
  },
)

test.each(roles)('[role by role] what is not for a %s is neither shown nor possible: an absence', async (role) => {
  const one = await signedIn(role)
  const date = `2026-12-0${roles.indexOf(role) + 1}`
  const isAllowed = role !== 'viewer'
  expect((await one.open(`/desk?date=${date}`)).body.includes('<a href="/desk/away?with=staff_ann')).toBe(isAllowed)
  expect((await one.open(page(date))).status).toBe(isAllowed ? 200 : 403)
  const { status } = await one.send('/desk/away', { with: 'staff_ann', from: `${date}T09:00`, to: `${date}T10:00` })
  expect([status, (await blocksOf(date)).length]).toEqual(isAllowed ? [303, 1] : [403, 0])
})
