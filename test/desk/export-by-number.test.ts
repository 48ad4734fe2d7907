import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { exportBuyer } from '../../src/domain/desk/people/export-buyer.ts'
import { inStudio, tuesday } from './studio.ts'

const NUMBER = '+1 212 555 0171'

await inStudio((_, staff, shop) => {
  const { db } = shop.runtime
  let hour = 9
  const book = async (buyer: object, more: object = {}) => {
    const start = tuesday(`${String(hour++).padStart(2, '0')}:00`)
    const { data } = await staff('bookings_create', {
      service_id: 'svc_room',
      start,
      buyer,
      override: ['hours'],
      ...more,
    })
    return data.booking.id as string
  }
  const exported = async (phone_number: string) => exportBuyer(db, { phone_number }, shop.time.now)
  const ids = async (number: string) => JSON.stringify(await exported(number)).match(/"bkg_[^"]+"/g)
  const has = async (number: string, ...words: string[]) => {
    const given = JSON.stringify(await exported(number))
    return words.map((word) => given.includes(word))
  }

  test('[known by telephone alone] what is kept of whoever has a number and no address is exported by it, however it is written', async () => {
    const id = await book({ first_name: 'Tilda', phone_number: NUMBER }, { notes: 'Tildanote' })
    await staff('customers_note', { customer_id: id, note: 'Tildarecord' })
    const snapshot = { buyer: { first_name: 'Tilda', email: 'unknown@nobody.invalid', phone_number: NUMBER } }
    const [at, subject] = [shop.time.now, `booking ${id}`]
    await sql`
      insert into mails (id, channel, kind, subject, audience, recipient, phone, locale, snapshot, status, next_at, created_at)
      values ('mail_tilda', 'text', 'booking.moved', ${subject}, 'buyer', 'unknown@nobody.invalid', ${NUMBER}, 'en',
        ${JSON.stringify(snapshot)}, 'sent', ${at}, ${at})`.execute(db)
    for (const number of [NUMBER, '2125550171', '001-212-555-0171'])
      expect(await exported(number)).toMatchObject({
        phone_number: number,
        bookings: [{ id, people: { buyer: { first_name: 'Tilda' }, notes: 'Tildanote' } }],
        journal: expect.arrayContaining([expect.objectContaining({ subject: `booking ${id}`, action: 'create' })]),
        mails: [{ phone: NUMBER }],
        customer_records: [{ note: 'Tildarecord', contacts: ['125550171'] }],
        accounts: [],
      })
  })

  test('[known by telephone alone] whoever has the number and an address is exported by that, and nothing of them by the number', async () => {
    const shared = '+1 212 555 0172'
    const alone = await book({ first_name: 'Uma', phone_number: shared })
    const other = await book(
      { first_name: 'Vera', phone_number: shared, email: 'vera@example.com' },
      { notes: 'Veranote' },
    )
    await staff('customers_note', { customer_id: other, note: 'Verarecord' })
    expect(await ids(shared)).toEqual([`"${alone}"`])
    expect(await has(shared, 'Uma', 'Vera')).toEqual([true, false])
    expect(JSON.stringify(await exportBuyer(db, { email: 'vera@example.com' }, shop.time.now))).toContain('Verarecord')
    // Once they are told apart at the desk, each has what is noted of them.
    await staff('customers_split', { customer_id: other, contact: '125550172' })
    await staff('customers_note', { customer_id: alone, note: 'Umarecord' })
    expect(await has(shared, 'Umarecord', 'Verarecord', 'vera@')).toEqual([true, false, false])
  })

  test('[known by telephone alone] what was noted of several who share the number is left out until they are told apart', async () => {
    const shared = '+1 212 555 0177'
    const alone = await book({ first_name: 'Bela', phone_number: shared })
    await staff('customers_note', { customer_id: alone, note: 'Sharedrecord' })
    expect(await has(shared, 'Sharedrecord')).toEqual([true])
    await book({ first_name: 'Cleo', phone_number: shared, email: 'cleo@example.com' })
    expect(await has(shared, 'Bela', 'Sharedrecord', 'Cleo')).toEqual([true, false, false])
  })

  test('[known by telephone alone] what is noted of somebody who has an address as well is given by that', async () => {
    const number = '+1 212 555 0179'
    const called = await book({ first_name: 'Fred', phone_number: number })
    const wrote = await book({ first_name: 'Fred', email: 'fred@example.com' })
    await staff('customers_note', { customer_id: wrote, note: 'Fredrecord' })
    await staff('customers_merge', { customer_id: wrote, other_id: called })
    expect(await has(number, called, 'Fredrecord', 'fred@')).toEqual([true, false, false])
    expect(JSON.stringify(await exportBuyer(db, { email: 'fred@example.com' }, shop.time.now))).toContain('Fredrecord')
  })

  test('[known by telephone alone] so is whom somebody else booked for', async () => {
    const number = '+1 212 555 0178'
    const recipient = { first_name: 'Dora', last_name: '', email: 'dora@example.com', phone_number: number }
    const id = await book({ first_name: 'Elsa', email: 'elsa@example.com' }, { recipient })
    expect(await ids(number)).toBeNull()
    await staff('bookings_correct', { booking_id: id, recipient: { email: null } })
    expect(await exported(number)).toMatchObject({ bookings: [{ id, people: { recipient: { first_name: 'Dora' } } }] })
  })

  test('[known by telephone alone] what was told of a booking before it was theirs is left out', async () => {
    const number = '+1 212 555 0173'
    const id = await book({ first_name: 'Wanda', phone_number: '+1 212 555 0174' })
    await shop.runtime.makeChange(async (tx) => {
      for (const [first_name, email, phone_number] of [
        ['Wanda', 'unknown@nobody.invalid', '+1 212 555 0174'],
        ['Xenia', 'xenia@example.com', number],
        ['Yuna', 'unknown@nobody.invalid', number],
      ] as const) {
        const about = {
          kind: 'booking.moved',
          subject: `booking ${id}`,
          snapshot: { buyer: { first_name, email, phone_number } },
        }
        tx.queueMail({ ...about, to: { email, phone: phone_number } }, shop.time.now)
      }
    })
    await staff('bookings_correct', { booking_id: id, buyer: { first_name: 'Yuna', phone_number: number } })
    expect(await has(number, 'Yuna', 'Wanda', 'Xenia')).toEqual([true, false, false])
  })

  test('[known by telephone alone] the same last digits in another country are somebody else’s', async () => {
    await book({ first_name: 'Zara', phone_number: '+44 212 555 0175' })
    expect(await has('+1 212 555 0175', 'Zara')).toEqual([false])
    expect(await has('+44 212 555 0175', 'Zara')).toEqual([true])
    expect(await exported('1')).toMatchObject({ bookings: [], mails: [], customer_records: [] })
  })

  test('[known by telephone alone] who was erased is exported no more', async () => {
    const number = '+1 212 555 0176'
    const id = await book({ first_name: 'Alva', phone_number: number })
    await staff('customers_note', { customer_id: id, note: 'Alvarecord' })
    expect(await has(number, 'Alva', 'Alvarecord')).toEqual([true, true])
    await staff('bookings_erase', { booking_id: id })
    expect(await exported(number)).toMatchObject({ bookings: [], events: [], mails: [], customer_records: [] })
  })
})
