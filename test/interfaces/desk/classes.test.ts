import { expect, test } from 'vitest'
import { studio } from '../../desk/studio.ts'
import { buyer } from '../../support/desk.ts'
import { deskSalon } from './receptionist.ts'

const atOnce = {
  ...studio,
  services: studio.services.map((one) =>
    one.id === 'svc_class' ? { ...one, policies: { ...one.policies, payment_timing: 'at_service' as const } } : one,
  ),
}
const { shop, signedIn, platform } = await deskSalon({}, atOnce)
const { db } = shop.runtime
const [owner, viewer] = [await signedIn('owner'), await signedIn('viewer')]
const slots = await platform.slots('svc_class')
let used = 0
/** A class of its own for each test, with bookings of these sizes. */
async function classWith(...sizes: number[]) {
  const slot = slots[used++]
  const bookings = []
  for (const [nth, party_size] of sizes.entries()) {
    const person = {
      ...buyer,
      first_name: ['Zoë', 'Anna', 'Émile'][nth],
      phone_number: '+12125550100',
      email: `${nth}@example.com`,
    }
    bookings.push((await platform.book(slot, { party_size, buyer: person })).data.booking)
  }
  const start = new Date(String(slot?.start))
  const { id } = await db.selectFrom('sessions').select('id').where('starts_at', '=', start).executeTakeFirstOrThrow()
  return { id, page: `/desk/classes/${id}`, date: String(slot?.start).slice(0, 10), bookings }
}
const statusOf = async (id: string) =>
  (await db.selectFrom('bookings').select('status').where('id', '=', id).executeTakeFirstOrThrow()).status

test('the classes of a week lead to each, as the day does; others have no such place in their menu', async () => {
  const { page, date } = await classWith(2)
  for (const path of [`/desk/classes?date=${date}`, `/desk?date=${date}`])
    expect((await owner.open(path)).body).toContain(`<a href="${page}">`)
  expect((await owner.open(`/desk/classes?date=${date}`)).body).toContain('2/3')
  expect((await owner.open('/desk')).body).toContain('href="/desk/classes"')
  const other = await deskSalon()
  expect((await (await other.signedIn('owner')).open('/desk')).body).not.toContain('href="/desk/classes"')
})

test('who comes is listed by name, and ticked off in one press each', async () => {
  const { page, bookings } = await classWith(1, 1, 1)
  const { body } = await owner.open(page)
  expect([...body.matchAll(/<strong>(\S+) Williams<\/strong>/g)].map(([, name]) => name)).toEqual([
    'Anna',
    'Émile',
    'Zoë',
  ])
  expect(body).toContain('0/3')
  expect(body).not.toContain('value="no_show"')
  const { headers } = await owner.send(page, { do: 'start', booking: bookings[1].id })
  expect([headers.location, await statusOf(bookings[1].id)]).toEqual([page, 'in_progress'])
  expect((await owner.open(page)).body).toContain('1/3')
})

test('the tags of who comes stand beside their names', async () => {
  const { page, bookings } = await classWith(1, 1)
  const note = { customer_id: bookings[0].id, tags: ['Nut allergy'] }
  await platform.call('usp_business_customers_note', note, { as: shop.staff })
  const { body } = await owner.open(page)
  expect(body).toMatch(/Anna Williams<\/strong><\/a> ·|Anna Williams<\/strong><\/a><br>/)
  expect(body).toContain('Zoë Williams</strong></a> <span class="tag">Nut allergy</span>')
})

test('its size is changed, and never to fewer than have a place', async () => {
  const { page } = await classWith(2)
  expect((await owner.send(page, { do: 'resize', capacity: '5' })).headers.location).toBe(page)
  expect((await owner.open(page)).body).toContain('2/5')
  const refused = await owner.send(page, { do: 'resize', capacity: '1' })
  expect([refused.status, refused.body.includes('role="alert"')]).toEqual([409, true])
  expect(refused.body).toContain('More spots than that are booked.')
  for (const capacity of ['', '-1', '10001', 'many'])
    expect((await owner.send(page, { do: 'resize', capacity })).status).toBe(409)
})

test('where it was canceled and bookings are left, as of thousands when time was up, whoever presses again goes on', async () => {
  const { id, page, bookings } = await classWith(1, 1)
  await db.updateTable('sessions').set({ canceled_at: shop.time.now }).where('id', '=', id).execute()
  const { body } = await owner.open(page)
  expect([body.includes('value="cancel"'), body.includes('value="resize"')]).toEqual([true, false])
  expect((await owner.send(page, { do: 'cancel' })).headers.location).toBe(page)
  for (const booking of bookings) expect(await statusOf(booking.id)).toBe('canceled')
  expect((await owner.open(page)).body).not.toContain('value="cancel"')
})

test('it is canceled for everybody, with a word to them', async () => {
  const { page, bookings } = await classWith(1, 2)
  expect((await owner.open(page)).body).toContain('3 bookings are canceled')
  await owner.send(page, { do: 'cancel', word: 'Cat is ill.' })
  for (const { id } of bookings) {
    const { data } = await platform.get(id)
    expect(data.booking).toMatchObject({ status: 'canceled', cancellation: { reason: 'Cat is ill.' } })
  }
  expect((await owner.open(page)).body).not.toContain('value="cancel"')
})

test('a viewer sees who comes and can press nothing', async () => {
  const { page, bookings } = await classWith(1)
  const [, main = ''] = (await viewer.open(page)).body.split('<main')
  expect(main).toContain('Zoë')
  expect(main).not.toContain('<button')
  for (const what of ['start', 'resize', 'cancel', 'no_show', 'constructor'])
    expect((await viewer.send(page, { do: what, booking: bookings[0].id, capacity: '9' })).status).toBe(403)
  expect(await statusOf(bookings[0].id)).toBe('confirmed')
})

test('there is no page for a class that does not exist', async () => {
  expect((await owner.open('/desk/classes/ses_none')).status).toBe(404)
})
