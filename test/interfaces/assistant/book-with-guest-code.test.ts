import { describe, expect, test } from 'vitest'
import { verify } from '../../../src/core/ledger/verify-ledger.ts'
import { compose } from '../../../src/core/mails/notification-text.ts'
import { mailList } from '../../../src/core/mails/queries.ts'
import { daily } from '../../availability/week.ts'
import { ROSA as TYPED, visitor } from '../../booking-flow/visitor.ts'
import { businessWith, service } from '../../support/definitions.ts'
import { restDesk, type Shop, testShop } from '../../support/desk.ts'
import { assistant, pathOf } from './talk.ts'

const ROSA = { first_name: 'Rosa', last_name: 'Díaz', email: 'Rosa@Example.com' }
const business = (more = {}) =>
  businessWith([service('svc_cut'), service('svc_call', { channel: { type: 'phone' } })], {
    hours: daily('06:00', '22:00'),
    ...more,
  })
const shop = await testShop(business())
const helper = assistant(shop)

let used = 0
/** Each a time of its own, on days of their own. */
async function slotOn(on: Shop, service_id = 'svc_cut'): Promise<string> {
  const date = new Date(Date.UTC(2026, 10, 23 + used++)).toISOString().slice(0, 10)
  const { data } = await assistant(on).call('find_times', { service_ids: [service_id], from: date, to: date })
  return data.times[0].slots[0].slot_id
}
const slot = (service_id?: string) => slotOn(shop, service_id)

/** The letters with codes to an address, the newest first. */
async function lettersTo(email: string, on: Shop = shop) {
  const definition = await on.runtime.business.get()
  const rows = (await mailList(on.runtime.db, { limit: 500 })).filter(
    ({ kind, recipient }) => kind === 'guest_code' && recipient === email,
  )
  return rows.map((row) => ({ row, letter: definition && compose(row, on.runtime.letters, definition)?.letter }))
}
async function codeTo(email: string): Promise<string> {
  const [mail] = await lettersTo(email)
  return /\d{8}/.exec(mail?.letter?.heading ?? '')?.[0] ?? ''
}
const other = (code: string) => String((Number(code) + 1) % 100_000_000).padStart(8, '0')
const newGuest = () => ({ ...ROSA, email: `guest${used++}@example.com` })

async function asked(person = newGuest()) {
  const slot_id = await slot()
  const { data, text } = await helper.call('book', { slot_id, person })
  const again = { slot_id, person, status_code: data.status_code }
  return { slot_id, person, data, text, again, code: await codeTo(person.email.toLowerCase()) }
}

test('[a guest by mail] is booked for by a code from the mail, in the same calls as by the link', async () => {
  const { text, data, again, code } = await asked(ROSA)
  expect(data).toMatchObject({ state: 'waiting_for_person', code_minutes: 10 })
  expect(text).toContain('a code was mailed')
  expect(text).toContain(data.link)
  expect(`${text}${JSON.stringify(data)}`).not.toContain(code)
  const done = await helper.call('book', { ...again, code: ` ${code.slice(0, 4)} ${code.slice(4)}` })
  expect(done.text).toMatch(/^Booked: “Service svc_cut” on .*It is confirmed\./)
  expect(done.data).toMatchObject({ state: 'booked', booking_status: 'confirmed' })
  expect((await helper.call('booking_status', { status_code: data.status_code })).data.state).toBe('booked')

  // Whoever did not hear the answer asks again, and means one booking.
  const twice = await helper.call('book', { ...again, code })
  expect(twice.data.reference).toBe(done.data.reference)
  const [booking, ...more] = await shop.runtime.db.selectFrom('bookings').selectAll().execute()
  expect(more).toEqual([])
  expect(booking?.principal).toMatch(/^assistant:/)
  expect(booking?.people).toMatchObject({ buyer: { email: 'rosa@example.com' } })
  expect((await verify(shop.runtime.db, shop.time.now)).findings.listed).toEqual([])
  expect(shop.logged.join('\n')).not.toMatch(/Díaz|rosa@example/i)
})

test.each([
  [
    'with a number and a note',
    { phone: '+12125550143', notes: 'I come by wheelchair.' },
    { phone_number: '+12125550143' },
  ],
  ['without', {}, {}],
])('[a guest by mail] is booked %s, as the assistant said', async (_, said, more) => {
  const person = { ...newGuest(), ...said }
  const { again, code } = await asked(person)
  const { data } = await helper.call('book', { ...again, code })
  const read = await restDesk(shop).call(
    'usp_business_bookings_get',
    { booking_id: data.reference },
    { as: shop.staff },
  )
  const { buyer, notes } = read.data.booking
  expect(buyer).toEqual({ first_name: 'Rosa', last_name: 'Díaz', email: person.email, ...more })
  expect(notes).toBe('notes' in said ? said.notes : undefined)
})

test.each([
  ['their language', { language: 'de-AT' }, 'Gebucht'],
  ['the language of the business where they name none', {}, 'Booked'],
])('[a guest by mail] reads in %s what was booked', async (_, language, word) => {
  const person = { ...newGuest(), ...language }
  const { again, code } = await asked(person)
  await helper.call('book', { ...again, code })
  const definition = await shop.runtime.business.get()
  const rows = await mailList(shop.runtime.db, { limit: 500 })
  const row = rows.find(({ kind, recipient }) => kind === 'booking.confirmed' && recipient === person.email)
  expect(row && definition && compose(row, shop.runtime.letters, definition)?.letter?.subject).toContain(word)
})

test('[a guest by mail] reads in their language what the code does, and nothing that anybody else wrote', async () => {
  const person = { ...newGuest(), first_name: 'http://evil.example', language: 'de-AT', notes: 'http://evil.example' }
  await asked(person)
  const [mail] = await lettersTo(person.email)
  expect(mail?.letter?.subject).toBe('Ihr Code für Test Studio')
  expect(mail?.letter?.paragraphs.join(' ')).toMatch(/bei Test Studio für Sie buchen: Service svc_cut, /)
  expect(JSON.stringify([mail?.letter, mail?.row.snapshot])).not.toContain('evil')
})

describe('[a guest by mail] a code', () => {
  test('is tried five times at most, also all at once, and then is none', async () => {
    const { again, code } = await asked()
    const wrong = await Promise.all(
      Array.from({ length: 8 }, () => helper.call('book', { ...again, code: other(code) })),
    )
    const counted = wrong.filter(({ data }) => data.tries_left !== undefined)
    expect(counted).toHaveLength(5)
    for (const { data, text } of counted)
      expect(text).toContain(data.tries_left > 0 ? `${data.tries_left} attempts are left` : 'a new code is mailed')
    expect(wrong.every(({ isError }) => isError)).toBe(true)
    const late = await helper.call('book', { ...again, code })
    expect([late.isError, late.text]).toEqual([true, expect.stringContaining('No code is expected')])
  })

  test('is guessed no oftener by asking for many: the mails to one address have an end', async () => {
    const narrow = await testShop(business({ limits: { visitors: { mails_to_one: 2 } } }))
    const guesser = assistant(narrow)
    const guess = async () => {
      const slot_id = await slotOn(narrow)
      const { data } = await guesser.call('book', { slot_id, person: ROSA })
      const wrong = { slot_id, person: ROSA, status_code: data.status_code, code: '00000000' }
      const tries = Array.from({ length: 6 }, () => guesser.call('book', wrong))
      return (await Promise.all(tries)).filter((one) => one.data.tries_left !== undefined).length
    }
    const counted: number[] = []
    for (let hold = 0; hold < 4; hold++) counted.push(await guess())
    expect(counted).toEqual([5, 5, 0, 0])
  })

  test.each([
    ['somebody else', { person: { ...ROSA, email: 'mallory@example.com' } }],
    ['another name', { person: { ...ROSA, first_name: 'Mallory' } }],
  ])('is good for what was asked, and not for %s', async (_, changed) => {
    const { again, code } = await asked()
    const { isError, text } = await helper.call('book', { ...again, ...changed, code })
    expect([isError, text]).toEqual([true, expect.stringContaining('repeat its slot_id, party_size and person')])
    expect((await helper.call('book', { ...again, code })).data.state).toBe('booked')
  })

  test('is good for its own status_code', async () => {
    const [one, two] = [await asked(), await asked()]
    const { isError } = await helper.call('book', { ...one.again, status_code: two.data.status_code, code: one.code })
    expect(isError).toBe(true)
    expect((await helper.call('book', { ...one.again, status_code: 'hold_x.y', code: one.code })).isError).toBe(true)
  })

  test('takes the time anew after five minutes, unless somebody else has it, and is over after ten', async () => {
    const [one, two, three] = [await asked(), await asked(), await asked()]
    shop.minutesLater(6)
    expect((await helper.call('book', { ...one.again, code: one.code })).data.state).toBe('booked')
    const rival = await helper.call('book', { slot_id: two.slot_id })
    await visitor(shop).fill(pathOf(rival.data.link), TYPED)
    const gone = await helper.call('book', { ...two.again, code: two.code })
    expect([gone.isError, gone.text]).toEqual([
      true,
      expect.stringContaining('This time has just been booked by another person'),
    ])
    shop.minutesLater(5)
    expect((await helper.call('book', { ...three.again, code: three.code })).text).toContain('No code is expected')
  })

  test('is kept nowhere', async () => {
    const { code } = await asked()
    const rows = [
      ...(await shop.runtime.db.selectFrom('guest_codes').selectAll().execute()),
      ...(await shop.runtime.db.selectFrom('mails').selectAll().execute()),
    ]
    expect(JSON.stringify(rows)).not.toContain(code)
  })

  test('is of no use once the person booked by the link', async () => {
    const { again, code, data } = await asked()
    await visitor(shop).fill(pathOf(data.link), TYPED)
    const told = await helper.call('book', { ...again, code })
    expect(told.data.reference).toBe(
      (await helper.call('booking_status', { status_code: data.status_code })).data.reference,
    )
  })
})

describe('[a guest by mail] what is asked', () => {
  test('is answered alike whether anything is known of an address or not', async () => {
    const [known, unknown] = [await asked({ ...ROSA }), await asked()]
    const shape = ({ text, data }: typeof known) => [
      text.replace(/“.*?price|http\S+|"hold_\S+"|on \w+ \S+ \S+/g, ''),
      Object.keys(data),
    ]
    expect(shape(known)).toEqual(shape(unknown))
  })

  test('leads to the link where an address or a network was mailed often enough', async () => {
    const narrow = await testShop(business({ limits: { visitors: { mails_to_one: 1, mails: 3 } } }))
    const ask = async (email: string) =>
      (await assistant(narrow).call('book', { slot_id: await slotOn(narrow), person: { ...ROSA, email } })).data
    expect(await ask('a.b@example.com')).toHaveProperty('code_minutes')
    const flooded = await ask('AB+1@example.com')
    expect(flooded).not.toHaveProperty('code_minutes')
    expect(flooded.link).toContain('/book/')
    await ask('b@example.com')
    await ask('c@example.com')
    expect(await ask('d@example.com')).not.toHaveProperty('code_minutes')
    expect(await lettersTo('ab+1@example.com', narrow)).toEqual([])
  })

  test.each([
    [{ email: 'nobody' }, 'email'],
    [{ language: 'x'.repeat(40) }, 'language'],
  ])('%j is refused in a sentence', async (more, sentence) => {
    const { isError, text } = await helper.call('book', { slot_id: await slot(), person: { ...ROSA, ...more } })
    expect([isError, text]).toEqual([true, expect.stringContaining(sentence)])
  })

  test('takes a number where the business calls', async () => {
    const slot_id = await slot('svc_call')
    expect((await helper.call('book', { slot_id, person: newGuest() })).text).toContain('person.phone')
    const { data } = await helper.call('book', { slot_id, person: { ...newGuest(), phone: '+12125550143' } })
    expect(data.code_minutes).toBe(10)
  })

  test('a code without what it is for is asked for again', async () => {
    const { text } = await helper.call('book', { slot_id: await slot(), code: '12345678' })
    expect(text).toContain('A call with code requires status_code')
  })
})

test('[a guest by mail] is not offered where no mail can be sent', async () => {
  const production = {
    USP_MODE: 'production',
    DATABASE_URL: 'postgres://u@h/d',
    BASE_URL: 'https://book.example',
    USP_SECRET_KEY: 'x'.repeat(44),
    TRUST_PROXY: '127.0.0.1',
  }
  const silent = await testShop(business(), { env: production })
  const one = assistant(silent, { headers: { host: 'book.example', 'x-forwarded-proto': 'https' } })
  const { body } = await one.send('tools/list')
  const tool = body.result.tools.find(({ name }: { name: string }) => name === 'book')
  expect(JSON.stringify(tool)).not.toMatch(/mail|status_code|"code"/)
  const refused = await one.call('book', { slot_id: 'slot_x', person: ROSA })
  expect([refused.isError, refused.text]).toEqual([true, expect.stringContaining('email')])
})
