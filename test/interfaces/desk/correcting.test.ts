import { expect, test } from 'vitest'
import { roles } from '../../../src/protocol/caller-types.ts'
import { deskSalon } from './receptionist.ts'

const { signedIn, booked, platform } = await deskSalon()
const owner = await signedIn('owner')
const page = (id: string) => `/desk/bookings/${id}/correct`
const fieldsOf = (body: string) =>
  Object.fromEntries(
    [...body.matchAll(/<input id="(\w+)"[^>]* value="([^"]*)"/g)].map(([, name, value]) => [name, value]),
  )

test('who comes is corrected, whoever made the booking, and what was not touched stays', async () => {
  const recipient = { first_name: 'Rita', last_name: 'Rees', email: 'rita@example.com' }
  const { booking } = await booked('svc_auto', { recipient, notes: 'Two\nlines' })
  expect((await owner.open(`/desk/bookings/${booking.id}`)).body).toContain(`href="${page(booking.id)}"`)
  const { body } = await owner.open(page(booking.id))
  const form = { ...fieldsOf(body), notes: 'Two\r\nlines' }
  expect(form).toMatchObject({ first_name: 'Alice', recipient_first_name: 'Rita', email: 'alice@example.com' })
  await owner.send(page(booking.id), form)
  expect((await platform.get(booking.id)).data.booking.revision).toBe(booking.revision)
  const { headers } = await owner.send(page(booking.id), {
    ...form,
    last_name: 'Wiliams',
    phone_number: '+12125550143',
  })
  expect(headers.location).toBe(`/desk/bookings/${booking.id}`)
  const after = (await platform.get(booking.id)).data.booking
  expect(after.buyer).toMatchObject({ last_name: 'Wiliams', phone_number: '+12125550143', email: 'alice@example.com' })
  expect(after).toMatchObject({ recipient, notes: 'Two\nlines' })
})

test('what is wrong is told above what was written', async () => {
  const { booking } = await booked('svc_auto')
  const form = { first_name: 'Alma', last_name: '', phone_number: 'soon', email: '', party: '1', notes: '' }
  const refused = await owner.send(page(booking.id), form)
  expect(refused.status).toBe(409)
  expect(refused.body).toContain(
    '<a href="#phone_number">Phone number</a>: Please enter the number with its country code',
  )
  expect(refused.body).toMatch(
    /<input id="phone_number"[^>]* aria-invalid="true" aria-describedby="phone_number-error"/,
  )
  expect(refused.body).toContain('value="Alma"')
  const many = await owner.send(page(booking.id), { ...form, phone_number: '', party: '9' })
  expect([many.status, many.body.includes('not enough spots')]).toEqual([409, true])
  for (const party of ['', 'x', '0', '1e9', '2.5'])
    expect([party, (await owner.send(page(booking.id), { ...form, phone_number: '', party })).status]).toEqual([
      party,
      409,
    ])
  expect((await platform.get(booking.id)).data.booking.revision).toBe(booking.revision)
})

test('a wrong field of the person who comes is named, not the same field of the buyer', async () => {
  const recipient = { first_name: 'Rita', last_name: 'Rees', email: 'rita@example.com' }
  const { booking } = await booked('svc_auto', { recipient })
  const form = fieldsOf((await owner.open(page(booking.id))).body)
  const { body } = await owner.send(page(booking.id), { ...form, recipient_email: 'nowhere' })
  expect(body).toContain('<a href="#recipient_email">Email address</a>: Please enter an email address')
  expect(body.match(/aria-invalid/g)).toHaveLength(1)
})

test('[links are renewed] the box on the form ends the links that were given out before', async () => {
  const { booking } = await booked('svc_auto')
  const form = fieldsOf((await owner.open(page(booking.id))).body)
  const opens = async (url: string) => (await owner.open(new URL(url).pathname)).status === 200
  expect(await opens(booking.booking_url)).toBe(true)
  await owner.send(page(booking.id), { ...form, notes: '', renew: 'links' })
  const after = (await platform.get(booking.id)).data.booking
  expect([await opens(booking.booking_url), await opens(after.booking_url)]).toEqual([false, true])
})

test('nothing is corrected in what is over', async () => {
  const { booking } = await booked('svc_auto')
  await platform.cancel(booking.id)
  expect((await owner.open(`/desk/bookings/${booking.id}`)).body).not.toContain(page(booking.id))
  expect((await owner.send(page(booking.id), { first_name: 'Alma', party: '1' })).status).toBe(409)
  expect((await owner.open(page('bkg_none'))).status).toBe(404)
})

test.each(roles)('[role by role] a %s corrects only what they may', async (role) => {
  const one = await signedIn(role)
  const { booking } = await booked('svc_auto')
  const mayDo = role !== 'viewer'
  expect((await one.open(`/desk/bookings/${booking.id}`)).body.includes(page(booking.id))).toBe(mayDo)
  expect((await one.open(page(booking.id))).status).toBe(mayDo ? 200 : 403)
  expect((await one.send(page(booking.id), { first_name: 'Alma', party: '1' })).status).toBe(mayDo ? 303 : 403)
})
