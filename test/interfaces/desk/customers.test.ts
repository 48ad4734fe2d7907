import { expect, test } from 'vitest'
import { roles } from '../../../src/protocol/caller-types.ts'
import { deskSalon } from './receptionist.ts'

const { shop, signedIn, booked, platform } = await deskSalon()
const owner = await signedIn('owner')
const rosa = { first_name: 'Rosa', last_name: 'Reyes', email: 'rosa@example.com', phone_number: '+12125550143' }
const page = (id: string) => `/desk/customers/${id}`
async function bookedByStaff(buyer: Record<string, string>): Promise<string> {
  const [slot] = await platform.slots('svc_auto')
  const wish = { service_id: 'svc_auto', slot_id: slot.id, buyer }
  return (await platform.call('usp_business_bookings_create', wish, { as: shop.staff })).data.booking.id
}

test('a customer is found by name though a letter is wrong, and shows what is ahead', async () => {
  const { booking } = await booked('svc_auto', { buyer: rosa })
  expect((await owner.open(`/desk/bookings/${booking.id}`)).body).toContain(`href="${page(booking.id)}"`)
  const { body } = await owner.open('/desk/customers?query=Roza+Reyes')
  expect(body).toContain(`href="${page(booking.id)}"><strong>Rosa Reyes`)
  const customer = (await owner.open(page(booking.id))).body
  expect(customer).toMatch(/tel:\+12125550143.*mailto:rosa@example\.com.*<h2>Upcoming<\/h2>.*Haircut/s)
  expect((await owner.open(page('bkg_none'))).status).toBe(404)
  expect((await owner.open(page('cus_none'))).status).toBe(404)
})

test('[what was and what is ahead] stand apart on the page of a customer, each only if there is something', async () => {
  const buyer = {
    ...rosa,
    first_name: 'Ada',
    last_name: 'Head',
    email: 'ada@engine.example',
    phone_number: '+12125550180',
  }
  const { booking } = await booked('svc_auto', { buyer })
  const lists = async () => {
    const { body } = await owner.open(page(booking.id))
    return [...body.matchAll(/<h2>([^<]*)<\/h2><ul class="steps bookings">(.*?)<\/ul>/gs)].map(
      ([, name, list = '']) => [name, [...list.matchAll(/href="\/desk\/bookings\/([^"]+)"/g)].map(([, id]) => id)],
    )
  }
  expect(await lists()).toEqual([['Upcoming', [booking.id]]])
  await owner.send(`/desk/bookings/${booking.id}`, { do: 'cancel' })
  expect(await lists()).toEqual([['Past', [booking.id]]])
  // What comes next is first there, and what was last is first here.
  const ids = []
  for (const time of ['2026-12-16T10:00', '2026-12-15T10:00']) {
    const next = (await booked('svc_auto', { buyer })).booking
    await owner.send(`/desk/bookings/${next.id}/move`, { start: time, override: 'all' })
    ids.unshift(next.id)
  }
  expect(await lists()).toEqual([
    ['Upcoming', ids],
    ['Past', [booking.id]],
  ])
})

test('[what is not known] has no line on the page of a customer', async () => {
  const bare = await bookedByStaff({ first_name: 'Bare' })
  const names = async (id: string) =>
    [...(await owner.open(page(id))).body.matchAll(/<dt>([^<]*)<\/dt>/g)].map(([, name]) => name)
  expect(await names(bare)).toEqual(['Visits'])
  const buyer = {
    ...rosa,
    first_name: 'Full',
    last_name: 'Lister',
    email: 'full@engine.example',
    phone_number: '+12125550181',
  }
  const { booking } = await booked('svc_auto', { buyer })
  expect(await names(booking.id)).toEqual(['Phone number', 'Email address', 'Visits'])
  const { now } = shop.time
  shop.time.now = new Date(booking.slot.end)
  await platform.call('usp_business_bookings_no_show', { booking_id: booking.id }, { as: shop.staff })
  shop.time.now = now
  expect(await names(booking.id)).toEqual(['Phone number', 'Email address', 'Visits', 'No-shows'])
})

test('[who is meant] a search without a match says so, and nothing is offered to split of a customer with one address', async () => {
  const buyer = {
    ...rosa,
    first_name: 'Lone',
    last_name: 'Ly',
    email: 'lone@engine.example',
    phone_number: '+12125550182',
  }
  const { booking } = await booked('svc_auto', { buyer })
  const open = async (query = '') => (await owner.open(`${page(booking.id)}${query}`)).body
  const plain = await open()
  expect(plain).toContain('<details><summary>Merge with another customer')
  expect(plain).not.toMatch(/name="do" value="(merge|split)"|role="status"/)
  const searched = await open('?other=zzzzz')
  expect(searched).toContain('<details open><summary>Merge with another customer')
  expect(searched).toContain('<p class="note" role="status">')
  expect(searched).toContain('name="other" value="zzzzz"')
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

test('[several addresses are a choice] the form fills in no address where several are known, and books with the chosen one', async () => {
  const buyer = { ...rosa, first_name: 'Cho', last_name: 'Ice', email: 'cho@example.com', phone_number: '+12125550151' }
  const { booking } = await booked('svc_auto', { buyer })
  const other = (await booked('svc_auto', { buyer: { ...buyer, email: 'cho.work@example.com' } })).booking
  const to = `/desk/book?service=svc_auto&date=2026-11-26&for=${booking.id}`
  expect((await owner.open(to)).body).toContain(
    'name="email" type="email" maxlength="254" autocomplete="off" value="cho@',
  )
  // Who has the same number is proposed, and the staff say that it is the same person.
  expect((await owner.open(page(booking.id))).body).toContain(`name="other" value="${other.id}"`)
  await owner.send(page(booking.id), { do: 'merge', other: other.id })
  const { body } = await owner.open(to)
  expect(body).toContain('autocomplete="off" value="+12125550151"')
  expect(body).toContain('name="email" type="email" maxlength="254" autocomplete="off" value=""')
  for (const email of ['cho@example.com', 'cho.work@example.com'])
    expect(body).toContain(`name="known_email" value="${email}"`)
  const slot = /name="slot:[\d-]+" value="([^"]+)"/.exec(body)?.[1] ?? ''
  const form = { service: 'svc_auto', slot, first_name: 'Cho', known_email: 'cho.work@example.com' }
  const made = (await owner.send('/desk/book', form)).headers.location ?? ''
  expect((await owner.open(made)).body).toContain('mailto:cho.work@example.com')
  const refused = (await owner.send('/desk/book', { ...form, for: booking.id })).body
  expect(refused).toContain('name="known_email" value="cho.work@example.com" checked')
  const next = /name="slot:[\d-]+" value="([^"]+)"/.exec(refused)?.[1] ?? ''
  const written = { ...form, slot: next, email: 'cho.new@example.com' }
  const wrote = (await owner.send('/desk/book', written)).headers.location ?? ''
  expect((await owner.open(wrote)).body).toContain('mailto:cho.new@example.com')
})

test.each([
  ['the same address', { email: 'una@example.com' }],
  ['the same number and no address', { phone_number: '+12125550170' }],
])(
  '[one person is not two] a customer with two bookings with %s is not proposed as another customer',
  async (_, contacts) => {
    const buyer = { first_name: 'Una', last_name: 'Uno', ...contacts }
    const bookings = [await bookedByStaff(buyer), await bookedByStaff(buyer)]
    const [words = ''] = Object.values(contacts)
    for (const id of bookings) {
      const { body } = await owner.open(`${page(id)}?${new URLSearchParams({ other: words })}`)
      for (const other of bookings) expect(body).toContain(`href="/desk/bookings/${other}"`)
      expect(body).not.toMatch(/name="other" value="(bkg|cus)_/)
    }
  },
)

test('[one person is not two] a customer with an address is proposed to another without, who has the same number', async () => {
  const contacts = { last_name: 'Duo', phone_number: '+12125550171' }
  const [one, other] = [
    await booked('svc_auto', { buyer: { ...contacts, first_name: 'Dora', email: 'dora@example.com' } }),
    await bookedByStaff({ ...contacts, first_name: 'Dana' }),
  ]
  expect((await owner.open(page(one.booking.id))).body).toContain(`name="other" value="${other}"`)
  expect((await owner.open(page(other))).body).toContain(`name="other" value="${one.booking.id}"`)
})

test('[a canceled booking fills in nothing] neither for itself nor for others of the customer', async () => {
  const buyer = {
    ...rosa,
    first_name: 'Can',
    last_name: 'Celed',
    email: 'can@example.com',
    phone_number: '+12125550152',
  }
  const first = (await booked('svc_auto', { buyer })).booking
  const later = (await booked('svc_auto', { buyer: { ...buyer, first_name: 'Later', phone_number: '+12125550153' } }))
    .booking
  await owner.send(`/desk/bookings/${later.id}`, { do: 'cancel' })
  const to = (id: string) => `/desk/book?service=svc_auto&date=2026-11-26&for=${id}`
  for (const { id } of [first, later]) {
    const { body } = await owner.open(to(id))
    expect([body.includes('value="Can"'), body.includes('+12125550153')]).toEqual([true, false])
  }
  await owner.send(`/desk/bookings/${first.id}`, { do: 'cancel' })
  expect((await owner.open(to(first.id))).body).not.toContain('can@example.com')
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
  // The heading is the name, so the list of bookings does not repeat it.
  expect(noted).not.toContain('<strong>Nora')
  // On the booking, and in the day.
  for (const path of [`bookings/${one.booking.id}`, `?date=${one.booking.slot.start.slice(0, 10)}`]) {
    const { body } = await owner.open(`/desk/${path}`.replace('/?', '?'))
    expect([path, body.includes('<span class="tag">Nuts</span>')]).toEqual([path, true])
  }
  const { body: day } = await owner.open(`/desk?date=${one.booking.slot.start.slice(0, 10)}`)
  const [, card = ''] = new RegExp(`<a href="/desk/bookings/${one.booking.id}">(.*?)</a>`, 's').exec(day) ?? []
  const lines = card.split('<span class="line">').slice(1)
  expect(lines).toHaveLength(4)
  expect(lines[0]).toMatch(/title="Nuts and Latex".*<strong>Nora Reyes</s)
  expect(lines[1]).toContain(one.booking.service_name)
  expect(lines[2]).toMatch(/^\d+:\d\d/)
  expect(lines[3]).toContain('<span class="tag">Latex</span>')
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
