import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { orphanedCustomersDelete } from '../../src/domain/desk/customers/customer-queries.ts'
import { exportBuyer } from '../../src/domain/desk/people/export-buyer.ts'
import { freshDatabase } from '../support/database.ts'
import { restDesk, testShop } from '../support/desk.ts'
import { at, inStudio, studio } from './studio.ts'

await inStudio((desk, staff, shop) => {
  const { db } = shop.runtime
  const person = (first_name: string, last_name: string, email: string, phone_number?: string) => ({
    first_name,
    last_name,
    email,
    ...(phone_number !== undefined && { phone_number }),
  })
  let nth = 0
  const booked = async (buyer: object, service = 'svc_room') => {
    const slots = await desk.slots(service)
    return (await desk.book(slots[nth++ % slots.length], { buyer })).data.booking
  }
  const atDesk = async (buyer: object) => {
    const slot = (await desk.slots('svc_room'))[nth++]
    return (await staff('bookings_create', { service_id: 'svc_room', slot_id: slot.id, buyer })).data.booking
  }
  const get = async (customer_id: string) => (await staff('customers_get', { customer_id })).data
  const found = async (query: string): Promise<string[]> =>
    (await staff('customers_list', { query })).data.customers.map(({ name }: { name: string }) => name)
  const idsIn = ({ bookings }: { bookings: { id: string }[] }) => bookings.map(({ id }) => id).toSorted()
  const records = async () => (await db.selectFrom('customers').selectAll().execute()).length

  test('bookings with the same address are of one customer, and so is a number that the staff entered with it', async () => {
    const one = await atDesk(person('Rosa', 'Reyes', 'rosa@example.com', '+1 212 555 0143'))
    const two = await booked(person('Rosa', 'Reyes', 'ROSA@example.com'))
    const three = await atDesk({ first_name: 'Rosa', phone_number: '(212) 555-0143' })
    await booked(person('Rosalind', 'Other', 'other@example.com', '+12125550144'))
    const all = await get(three.id)
    expect(idsIn(all)).toEqual([one.id, two.id, three.id].toSorted())
    expect(all.customer).toMatchObject({ emails: ['rosa@example.com'], note: '', tags: [], upcoming: 3, visits: 0 })
    expect(await records()).toBe(0)
    expect((await staff('customers_get', { customer_id: 'bkg_none' })).code).toBe('not_found')
    expect((await staff('customers_get', { customer_id: 'cus_none' })).code).toBe('not_found')
  })

  test('[a number proves nobody] a booking that a stranger makes with the number of a customer is not joined to this customer', async () => {
    const [number, stranger] = ['+12125550190', 'stranger@example.com']
    const wrote = await booked(person('Vic', 'Tim', 'victim@example.com', number))
    const called = await atDesk({ first_name: 'Vic', last_name: 'Tim', phone_number: number })
    const { data } = await staff('customers_note', { customer_id: called.id, note: 'Victimnote' })
    const strange = await booked(person('Stran', 'Ger', stranger, number))
    for (const id of [wrote.id, called.id, data.customer.id]) {
      const { customer, bookings } = await get(id)
      expect([customer.emails.includes(stranger), idsIn({ bookings }).includes(strange.id)]).toEqual([false, false])
    }
    expect((await get(strange.id)).customer).toMatchObject({ note: '', emails: [stranger], contacts: [stranger] })
    await staff('customers_note', { customer_id: strange.id, note: 'Strangernote' })
    const exported = JSON.stringify(await exportBuyer(db, { email: stranger }, shop.time.now))
    expect([exported.includes('Strangernote'), /Victimnote|victim@/.test(exported)]).toEqual([true, false])
    // The listing, which groups what it finds, says the same.
    const { customers } = (await staff('customers_list', { query: '2125550190' })).data
    expect(customers.map(({ emails }: { emails: string[] }) => emails.join()).toSorted()).toEqual(
      ['', stranger, 'victim@example.com'].toSorted(),
    )
  })

  test('[a number proves nobody] what a buyer or a series writes on is no number that the staff entered', async () => {
    const number = '+12125550191'
    const alone = await atDesk({ first_name: 'Una', phone_number: number })
    const strange = await booked(person('Sam', 'Series', 'series@example.com', number))
    const days = [1, 2].map((week) => new Date(Date.parse(strange.slot.start) + week * 7 * 86_400_000).toISOString())
    await staff('bookings_series_book', { booking_id: strange.id, starts: days })
    expect(idsIn(await get(alone.id))).toEqual([alone.id])
    // Nor is a number that the staff correct beside an address of the buyer.
    const correct = (buyer: object) => staff('bookings_correct', { booking_id: strange.id, buyer })
    await correct({ phone_number: '+12125550192' })
    await correct({ phone_number: number })
    expect(idsIn(await get(alone.id))).toEqual([alone.id])
    // What the staff enter together is.
    await correct({ phone_number: '+12125550192' })
    await correct({ phone_number: number, email: 'sam.series@example.com' })
    expect((await get(alone.id)).customer.emails).toEqual(['sam.series@example.com'])
    await desk.update(strange.id, { buyer: person('Sam', 'Series', 'other.series@example.com', number) })
    expect(idsIn(await get(alone.id))).toEqual([alone.id])
  })

  test('of two addresses that the staff entered with one number neither has what was booked by the number', async () => {
    const number = '+12125550193'
    const alone = await atDesk({ first_name: 'Line', phone_number: number })
    const ann = await atDesk(person('Ann', 'Line', 'ann.line@example.com', number))
    expect(idsIn(await get(alone.id))).toEqual([ann.id, alone.id].toSorted())
    await atDesk(person('Ben', 'Line', 'ben.line@example.com', number))
    expect(idsIn(await get(alone.id))).toEqual([alone.id])
    expect(idsIn(await get(ann.id))).toEqual([ann.id])
    // A record that has the number keeps it.
    await staff('customers_merge', { customer_id: ann.id, other_id: alone.id })
    await staff('customers_note', { customer_id: ann.id, note: 'Annnote' })
    const cleo = await atDesk(person('Cleo', 'Line', 'cleo.line@example.com', number))
    expect((await get(cleo.id)).customer).toMatchObject({ note: '', emails: ['cleo.line@example.com'] })
    await orphanedCustomersDelete(db, undefined)
    expect((await get(alone.id)).customer.note).toBe('Annnote')
  })

  test('[exports are of one address] a record that has another address as well is left out of an export', async () => {
    const [one, other] = [
      await booked(person('Max', 'Merged', 'max@example.com')),
      await booked(person('Max', 'Merged', 'max.other@example.com')),
    ]
    await staff('customers_note', { customer_id: one.id, note: 'Mergednote' })
    const exported = async () => JSON.stringify(await exportBuyer(db, { email: 'max@example.com' }, shop.time.now))
    expect(await exported()).toContain('Mergednote')
    await staff('customers_merge', { customer_id: one.id, other_id: other.id })
    expect(await exported()).not.toMatch(/Mergednote|max\.other/)
  })

  test('they are found each once, though a letter is wrong or an accent missing', async () => {
    await booked(person('Zoë', 'Müller', 'zoe@example.com', '+49 171 2345678'))
    await booked(person('Zoë', 'Müller', 'zoe@example.com'))
    for (const query of ['zoe muller', 'Muler', 'MÜLLER', 'miller zoe', '0171 2345678', 'zoe@'])
      expect([query, (await found(query)).filter((name) => name === 'Zoë Müller')]).toEqual([query, ['Zoë Müller']])
    expect(await found('muller walter')).not.toContain('Zoë Müller')
    expect((await staff('bookings_list', { query: 'muller' })).data.bookings).toHaveLength(2)
    expect(await found('')).toContain('Zoë Müller')
    for (const query of ['%', '\\', '_', "'", 'x'.repeat(200)]) expect(Array.isArray(await found(query))).toBe(true)
  })

  test('what is noted stays with them, and shows wherever they are found', async () => {
    const first = await atDesk(person('Nora', 'Nuts', 'nora@example.com', '+12125550150'))
    const { data } = await staff('customers_note', { customer_id: first.id, note: 'Likes tea', tags: ['Nuts'] })
    const { id } = data.customer
    expect(id).toMatch(/^cus_/)
    await staff('customers_note', { customer_id: first.id, tags: ['Nuts', 'Latex'] })
    const again = await atDesk({ first_name: 'Nora', phone_number: '+12125550150' })
    const all = await get(again.id)
    expect(all.customer).toMatchObject({ id, note: 'Likes tea', tags: ['Nuts', 'Latex'] })
    expect(idsIn(all)).toEqual([first.id, again.id].toSorted())
    for (const booking of [first, again]) {
      const { details } = (await staff('bookings_get', { booking_id: booking.id })).data
      expect(details.customer_tags).toEqual(['Nuts', 'Latex'])
      const day = (await staff('day', { date: booking.slot.start.slice(0, 10) })).data
      const inDay = day.bookings.find(({ id: one }: { id: string }) => one === booking.id)
      expect(inDay.tags).toEqual(['Nuts', 'Latex'])
    }
    const [one] = (await staff('customers_list', { query: 'nora' })).data.customers
    expect(one).toMatchObject({ id, tags: ['Nuts', 'Latex'] })
  })

  test('visits, those they missed, and what they paid are counted', async () => {
    const buyer = person('Vera', 'Visits', 'vera@example.com')
    const [came, missed] = [await booked(buyer, 'svc_flat'), await booked(buyer, 'svc_room')]
    await desk.pay(came)
    await staff('bookings_start', { booking_id: came.id })
    await staff('bookings_complete', { booking_id: came.id })
    await at(shop, missed.slot.end, () => staff('bookings_no_show', { booking_id: missed.id }))
    expect((await get(came.id)).customer).toMatchObject({
      visits: 1,
      no_shows: 1,
      upcoming: 0,
      spent: [{ amount: came.payment.amount, currency: 'USD' }],
    })
  })

  test('even the smallest amount that somebody paid counts as spent', async () => {
    const { id } = await booked(person('Cara', 'Cent', 'cara@example.com'), 'svc_counter')
    expect((await get(id)).customer.spent).toEqual([])
    await staff('bookings_mark_paid', { booking_id: id, amount: 1 })
    expect((await get(id)).customer.spent).toEqual([{ amount: 1, currency: 'USD' }])
  })

  test('two are made one by hand, and one is made two', async () => {
    const [one, other] = [
      await booked(person('Mia', 'Maiden', 'mia@example.com')),
      await booked(person('Mia', 'Married', 'mia.married@example.com')),
    ]
    await staff('customers_note', { customer_id: one.id, note: 'First', tags: ['VIP'] })
    await staff('customers_note', { customer_id: other.id, note: 'Second' })
    const merged = (await staff('customers_merge', { customer_id: one.id, other_id: other.id })).data
    expect(idsIn(merged)).toEqual([one.id, other.id].toSorted())
    expect(merged.customer).toMatchObject({ note: 'First\nSecond', tags: ['VIP'] })
    const same = (await staff('customers_merge', { customer_id: one.id, other_id: other.id })).data
    expect(same.customer.id).toBe(merged.customer.id)

    const split = { customer_id: one.id, contact: 'mia.married@example.com' }
    expect(idsIn((await staff('customers_split', split)).data)).toEqual([other.id])
    expect(idsIn(await get(one.id))).toEqual([one.id])
    expect((await staff('customers_split', split)).code).toBe('validation_error')
  })

  test('of two who share a number each keeps what is booked with their own address', async () => {
    const phone = '+12125550177'
    const [ann, ben] = [
      await booked(person('Ann', 'Share', 'ann.share@example.com', phone)),
      await booked(person('Ben', 'Share', 'ben.share@example.com', phone)),
    ]
    expect(idsIn(await get(ann.id))).toEqual([ann.id])
    await staff('customers_merge', { customer_id: ann.id, other_id: ben.id })
    expect(idsIn(await get(ann.id))).toEqual([ann.id, ben.id].toSorted())
    await staff('customers_split', { customer_id: ann.id, contact: 'ben.share@example.com' })
    const later = await booked(person('Ben', 'Share', 'ben.share@example.com', phone))
    expect(idsIn(await get(ann.id))).toEqual([ann.id])
    expect(idsIn(await get(ben.id))).toEqual([ben.id, later.id].toSorted())
  })

  test('[erased with their bookings] nothing that was noted of somebody outlives them', async () => {
    const before = await records()
    const [one, two] = [
      await booked(person('Erna', 'Erased', 'erna@example.com')),
      await booked(person('Ewa', 'Erased', 'ewa@example.com', '+12125550188')),
    ]
    const alone = await atDesk({ first_name: 'Nobody', last_name: 'Reachable' })
    for (const { id } of [one, two, alone]) await staff('customers_note', { customer_id: id, note: 'Secretword' })
    await staff('buyers_erase', { email: 'erna@example.com' })
    await staff('bookings_erase', { booking_id: two.id })
    await staff('bookings_erase', { booking_id: alone.id })
    expect(await records()).toBe(before)
    const kept = await sql<{ row: string }>`select c::text as row from customers c`.execute(db)
    expect(JSON.stringify(kept.rows)).not.toContain('Secretword')
    expect((await staff('customers_get', { customer_id: one.id })).code).toBe('not_found')

    const moved = await booked(person('Olga', 'Once', 'olga.once@example.com'))
    await staff('customers_note', { customer_id: moved.id, note: 'Secretword' })
    await staff('bookings_correct', { booking_id: moved.id, buyer: { email: 'olga.now@example.com' } })
    await orphanedCustomersDelete(db, undefined)
    expect(await records()).toBe(before)
  })

  test('whoever notes something at the same time notes it of one customer', async () => {
    const { id } = await booked(person('Race', 'Racer', 'race@example.com'))
    const before = await records()
    await Promise.all([1, 2, 3].map((n) => staff('customers_note', { customer_id: id, tags: [`tag ${n}`] })))
    expect(await records()).toBe(before + 1)
  })
})

test('[two servers] what two servers note of somebody at the same time is noted of one customer', async () => {
  const databaseUrl = await freshDatabase()
  const [one, other] = [await testShop(studio, { databaseUrl }), await testShop(studio, { databaseUrl })]
  const { db } = one.runtime
  const desk = restDesk(one)
  const { booking } = (await desk.book((await desk.slots('svc_room'))[0])).data
  // The servers are warm, so that none waits longer for the lock than the other needs to reach it.
  for (const shop of [one, other])
    await restDesk(shop).call('usp_business_customers_get', { customer_id: booking.id }, { as: one.staff })
  const noted = (shop: typeof one, content: object) =>
    restDesk(shop).call('usp_business_customers_note', { customer_id: booking.id, ...content }, { as: one.staff })
  const waiting = sql`
    select from pg_locks where not granted
      and database = (select oid from pg_database where datname = current_database())`
  const both = await db.transaction().execute(async (tx) => {
    await sql`lock table customers in share row exclusive mode`.execute(tx)
    const notes = [noted(one, { note: 'Likes tea' }), noted(other, { tags: ['Nuts'] })]
    while ((await waiting.execute(tx)).rows.length < notes.length);
    return { notes }
  })
  for (const { code } of await Promise.all(both.notes)) expect(code).toBeUndefined()
  expect(await db.selectFrom('customers').select(['note', 'tags']).execute()).toEqual([
    { note: 'Likes tea', tags: ['Nuts'] },
  ])
})
