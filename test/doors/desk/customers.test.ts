import { expect, test } from 'vitest'
import { roles } from '../../../src/protocol/caller.ts'
import { deskSalon } from './receptionist.ts'

const { signedIn, booked } = await deskSalon()
const owner = await signedIn('owner')
const rosa = { first_name: 'Rosa', last_name: 'Reyes', email: 'rosa@example.com', phone_number: '+12125550143' }
const page = (id: string) => `/desk/customers/${id}`

test('a customer is found by name though a letter is wrong, and shows what is ahead', async () => {
  const { booking } = await booked('svc_auto', { buyer: rosa })
  expect((await owner.open(`/desk/bookings/${booking.id}`)).body).toContain(`href="${page(booking.id)}"`)
  const { body } = await owner.open('/desk/customers?query=Roza+Reyes')
  expect(body).toContain(`href="${page(booking.id)}"><strong>Rosa Reyes`)
  const customer = (await owner.open(page(booking.id))).body
  expect(customer).toMatch(/tel:\+12125550143.*mailto:rosa@example\.com.*<h2>Ahead<\/h2>.*Haircut/s)
  expect((await owner.open(page('bkg_none'))).status).toBe(404)
  expect((await owner.open(page('cus_none'))).status).toBe(404)
})

test('who calls is picked by name, and their details stand in the form', async () => {
  await booked('svc_auto', { buyer: rosa })
  const form = (await owner.open('/desk/book?service=svc_auto&date=2026-11-26')).body
  expect(form).toContain('action="/desk/customers"')
  const { body } = await owner.open('/desk/customers?service=svc_auto&date=2026-11-26&query=reyes')
  const to = /href="(\/desk\/book\?[^"]+)"/.exec(body)?.[1]?.replaceAll('&amp;', '&') ?? ''
  expect(to).toContain('date=2026-11-26&service=svc_auto&for=')
  const filled = (await owner.open(to)).body
  for (const value of ['Rosa', 'Reyes', '+12125550143', 'rosa@example.com'])
    expect(filled).toContain(`value="${value}"`)
  expect((await owner.open('/desk/book?service=svc_auto&for=cus_none')).status).toBe(200)
})

test('something is noted, two are made one, and one two', async () => {
  const [one, other] = [
    await booked('svc_auto', {
      buyer: { ...rosa, email: 'nora@example.com', phone_number: '+12125550150', first_name: 'Nora' },
    }),
    await booked('svc_auto', { buyer: { first_name: 'Norah', last_name: 'Roys', email: 'norah@example.com' } }),
  ]
  const { headers } = await owner.send(page(one.booking.id), {
    do: 'note',
    note: '<b>Tea</b>',
    tags: 'Nuts, Latex,, Nuts',
  })
  const there = headers.location ?? ''
  expect(there).toMatch(/\/desk\/customers\/cus_/)
  const noted = (await owner.open(there)).body
  expect(noted).toContain('&lt;b&gt;Tea')
  expect(noted.match(/class="tag"/g)).toHaveLength(2)
  expect((await owner.open(`${there}?other=norah`)).body).toContain(`name="other" value="${other.booking.id}"`)
  await owner.send(there, { do: 'merge', other: other.booking.id })
  expect((await owner.open(there)).body).toContain('norah@example.com')
  const split = await owner.send(there, { do: 'split', contact: 'norah@example.com' })
  expect(split.headers.location).not.toBe(there)
  expect((await owner.open(there)).body).not.toContain('norah@example.com')
  expect((await owner.send(there, { do: 'nothing' })).status).toBe(403)
  for (const form of [{ do: 'merge' }, { do: 'split' }, { do: 'merge', other: 'cus_none' }])
    expect([form, [303, 404].includes((await owner.send(there, form)).status)]).toEqual([form, true])
})

test.each(roles)('[role by role] a %s notes only where they may', async (role) => {
  const one = await signedIn(role)
  const { booking } = await booked('svc_auto', {
    buyer: { ...rosa, email: `${role}@example.com`, phone_number: '+12125550160' },
  })
  const mayDo = role !== 'viewer'
  const { status, body } = await one.open(page(booking.id))
  expect([status, body.includes('name="note"')]).toEqual([200, mayDo])
  expect((await one.send(page(booking.id), { do: 'note', note: 'x' })).status).toBe(mayDo ? 303 : 403)
})
