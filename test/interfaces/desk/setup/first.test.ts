import { describe, expect, test } from 'vitest'
import { staffLinkMake } from '../../../../src/core/authentication/desk-sign-in-links.ts'
import { addStaff, findStaff } from '../../../../src/core/authentication/staff-members.ts'
import { businessDefinition } from '../../../../src/core/business/definition-queries.ts'
import { type Answers, firstDefinition } from '../../../../src/interfaces/desk/setup/first-definition.ts'
import { guessZoneAndCurrency } from '../../../../src/interfaces/desk/setup/guess-zone-and-currency.ts'
import { idFor } from '../../../../src/interfaces/desk/setup/id-from-name.ts'
import type { Role } from '../../../../src/protocol/caller-types.ts'
import { browser } from '../../../oauth/browser.ts'
import { START, testServer } from '../../../support/server.ts'
import { tokenOf } from '../receptionist.ts'
import { sent } from './sent-form.ts'

const answers: [string, string][] = [
  ['name', 'Salon Zoë'],
  ['phone', '030 12345678'],
  ['email', 'zoe@example.com'],
  ['address', 'Hauptstr. 1, Berlin'],
  ...([
    ['zone', 'Europe/Berlin'],
    ['currency', 'EUR'],
    ['language', 'de'],
  ] as [string, string][]),
  ...['monday', 'tuesday', 'saturday'].map((day): [string, string] => ['open', day]),
  ...['monday', 'tuesday'].flatMap((day): [string, string][] => [
    [`${day}.opens`, '09:00'],
    [`${day}.closes`, '18:00'],
  ]),
  ...([
    ['saturday.opens', '10:00'],
    ['saturday.closes', '14:00'],
    ['sunday.opens', '10:00'],
  ] as [string, string][]),
  ...([
    ['service', 'Haarschnitt'],
    ['minutes', '45'],
    ['price', '45.50'],
  ] as [string, string][]),
  ['channel', 'at_business_location'],
  ['people', ' Zoë\r\n\r\nAnna\r\n'],
]

async function newcomer(role: Role = 'owner') {
  const server = await testServer()
  const { db } = server.runtime
  await addStaff(db, 'Owner', role, START)
  const [{ id } = { id: '' }] = await findStaff(db, 'Owner')
  const one = browser(server)
  await one.visit('POST', await staffLinkMake(db, 'http://127.0.0.1:8080', id, START), new URLSearchParams())
  const open = (url: string) => one.visit('GET', url)
  const send = async (url: string, form: [string, string][] = []) => {
    const token = tokenOf((await open('/desk/devices')).body)
    return one.visit('POST', url, new URLSearchParams([...form, ['form', token]]))
  }
  return { server, db, send, open }
}

describe('[a business of five answers]', () => {
  test('the desk of an empty server leads to the questions, and the answers make a business that can be booked', async () => {
    const { server, db, open, send } = await newcomer()
    const first = await open('/desk')
    expect([first.status, first.headers.location]).toEqual([303, '/desk/setup'])
    const { body } = await open('/desk/setup')
    expect(body.match(/<legend>/g)).toHaveLength(5)

    const done = await send('/desk/setup', answers)
    expect([done.status, done.headers.location]).toEqual([303, '/desk/setup'])
    expect(await businessDefinition(db)).toMatchObject({
      business: { id: 'biz_salon_zoe', timezone: 'Europe/Berlin', currency: 'EUR', language: 'de' },
      hours: [
        { days: ['monday', 'tuesday'], opens: '09:00', closes: '18:00' },
        { days: ['saturday'], opens: '10:00', closes: '14:00' },
      ],
      resources: [{ id: 'staff_zoe' }, { id: 'staff_anna' }],
      services: [{ duration: { fixed: 'PT45M' }, pricing: { amount: 4550, currency: 'EUR' } }],
      website: { contact: { phone: '+493012345678', email: 'zoe@example.com', address: 'Hauptstr. 1, Berlin' } },
    })
    expect((await open('/desk/setup')).body).toContain('href="/book"')
    const days = { start_date: '2026-11-23', end_date: '2026-11-29' }
    const { slots } = (await server.rest('POST', '/availability/query', { service_id: 'svc_haarschnitt', ...days }))
      .body
    expect(slots[0].start).toContain('2026-11-23T09:00')
    expect((await open('/book/svc_haarschnitt')).status).toBe(200)
    expect((await open('/desk')).status).toBe(200)
    expect((await send('/desk/setup', answers)).headers.location).toBe('/desk/setup')
  })

  test.each([
    ['name', ' ', 'Please fill in this field.'],
    ['phone', 'call me', 'Please enter the number with its country code'],
    ['minutes', '1.5', 'Enter whole minutes, from 1 to 1440.'],
    ['price', '45,50', 'Write it like 12.50.'],
    ['people', '\n', 'Enter 1 to 50 names, one per line.'],
  ])('marks %s where it cannot be, keeps what was written and makes nothing', async (field, wrong, why) => {
    const { db, send } = await newcomer()
    const { status, body } = await send('/desk/setup', [...answers.filter(([name]) => name !== field), [field, wrong]])
    expect(status).toBe(409)
    expect(body).toMatch(new RegExp(`id="${field}"[^>]* aria-invalid="true"`))
    expect(body).toMatch(
      new RegExp(`role="alert">Please check this field:.*<li><a href="#${field}">[^<]*</a>: ${why}.*</div>`, 's'),
    )
    expect(body).toMatch(new RegExp(`<p class="error" id="${field}-error">[^<]*${field === 'price' ? 'Write' : why}`))
    if (field === 'price') {
      expect(body).toContain('</a>: Write it like 12.50.')
      expect(body).toContain(
        'id="price-error">“45,50” is not an amount in EUR. Write it like 12.50.</p><input id="price"',
      )
    }
    expect(await businessDefinition(db)).toBeUndefined()
    const written = sent(body)
    for (const [name, value] of answers)
      if (name !== field && name !== 'open') expect([name, written.get(name)?.trim()]).toEqual([name, value.trim()])
    expect(written.get(field)?.trim()).toBe(wrong.trim())
    expect(written.getAll('open')).toEqual(['monday', 'tuesday', 'saturday'])
  })

  test('what is usual stands in the form already, and the rest is empty', async () => {
    const { open } = await newcomer()
    const { body } = await open('/desk/setup')
    const form = sent(body)
    expect(form.getAll('open')).toEqual(['monday', 'tuesday', 'wednesday', 'thursday', 'friday'])
    expect([form.get('sunday.opens'), form.get('sunday.closes'), form.get('minutes')]).toEqual(['09:00', '18:00', '60'])
    for (const name of ['name', 'phone', 'email', 'address', 'service', 'price', 'people'])
      expect([name, form.get(name)]).toEqual([name, ''])
    expect(body).not.toMatch(/aria-invalid|role="alert"/)
  })

  test('what the definition may not be is told in its own words', async () => {
    const { send } = await newcomer()
    const { status, body } = await send('/desk/setup', [...answers, ['open', 'sunday'], ['sunday.closes', '09:00']])
    expect(status).toBe(409)
    expect(body).toMatch(/<a href="#monday">.*opens at 10:00, which is not before closing time \(09:00\)/)
  })

  test('is made by owners and managers alone', async () => {
    expect((await (await newcomer('manager')).open('/desk/setup')).status).toBe(200)
    const { open, send, db } = await newcomer('staff')
    expect((await open('/desk')).body).toContain('An owner or a manager')
    expect([(await open('/desk/setup')).status, (await send('/desk/setup', answers)).status]).toEqual([403, 403])
    expect(await businessDefinition(db)).toBeUndefined()
  })
})

const given: Answers = {
  name: 'Salon',
  phone: undefined,
  email: undefined,
  address: 'Main St. 1',
  people: ['Ann'],
  zone: 'Europe/Berlin',
  currency: 'EUR',
  language: 'de',
  hours: [{ days: ['monday'], opens: '09:00', closes: '18:00' }],
  service: 'Cut',
  minutes: 45,
  price: 4550,
  channel: 'at_business_location',
}
const firstServiceOf = (changes: Partial<Answers>) => firstDefinition({ ...given, ...changes }).services[0]

test.each([
  [20, 'PT15M'],
  [30, 'PT30M'],
  [45, 'PT15M'],
  [60, 'PT30M'],
])('[first service] times of %d minutes start every %s', (minutes, slot_interval) => {
  expect(firstServiceOf({ minutes })?.policies.booking_window).toMatchObject({ slot_interval })
})

test('[first service] buyers pay at the appointment if it has a price, and nothing if it is free', () => {
  expect(firstServiceOf({ price: 4550 })).toMatchObject({
    pricing: { model: 'fixed', amount: 4550, currency: 'EUR' },
    policies: { requires_payment: true, payment_timing: 'at_service' },
  })
  const free = firstServiceOf({ price: 0 })
  expect(free).toMatchObject({ pricing: { model: 'free' }, policies: { requires_payment: false } })
  expect(free?.policies).not.toHaveProperty('payment_timing')
})

test.each([
  ['at_business_location', 'appointment', [{ id: 'loc_1', name: 'Salon', address: 'Main St. 1' }]],
  ['at_buyer_location', 'field_service', undefined],
  ['virtual', 'appointment', undefined],
  ['phone', 'appointment', undefined],
] as const)('[first service] %s makes it a service of type %s', (channel, type, locations) => {
  expect(firstServiceOf({ channel })).toMatchObject({ type, channel: { type: channel } })
  expect(firstDefinition({ ...given, channel }).locations).toEqual(locations)
})

test('[first service] buyers can choose a person only if there are several', () => {
  expect(firstServiceOf({ people: ['Ann', 'Bob'] })?.resources).toEqual([
    { type: 'staff', options: ['staff_ann', 'staff_bob'], selectable: true },
  ])
  expect(firstServiceOf({ people: ['Ann'] })?.resources).toEqual([{ type: 'staff', options: ['staff_ann'] }])
})

test('[first definition] notifications go to the email address of the business, if there is one', () => {
  expect(firstDefinition({ ...given, email: 'hello@salon.example' }).mails).toEqual({ staff: ['hello@salon.example'] })
  expect(firstDefinition(given)).not.toHaveProperty('mails')
})

test.each([
  ['de-DE', 'Europe/Berlin', { zone: 'Europe/Berlin', country: 'DE', currency: 'EUR' }],
  ['en-US', 'Europe/Zurich', { zone: 'Europe/Zurich', country: 'CH', currency: 'CHF' }],
  ['en', 'UTC', { zone: 'UTC', country: 'US', currency: 'USD' }],
  ['ja', 'UTC', { zone: 'UTC', country: 'JP', currency: 'JPY' }],
])('[guesses] %s in %s', (locale, zone, guessed) => {
  expect(guessZoneAndCurrency(locale, zone)).toEqual(guessed)
})

test('[ids] say what they are of, are told apart, and exist for names in any letters', () => {
  expect(idFor('svc', 'Crème & Größe 2', [])).toBe('svc_creme_gro_e_2')
  expect(idFor('staff', 'Ann', [{ id: 'staff_ann' }, { id: 'staff_ann_2' }])).toBe('staff_ann_3')
  expect(idFor('staff', '花子', [])).toBe('staff_2')
  expect(idFor('svc', 'x'.repeat(300), [])).toHaveLength(60)
})
