import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { businessDefinition } from '../../../../src/core/business/definition-queries.ts'
import { isList, LISTS, RARE_SECTIONS, SECTIONS } from '../../../../src/interfaces/desk/setup/definition-sections.ts'
import type { BusinessDefinition } from '../../../../src/protocol/types.generated.ts'
import { deskSalon } from '../receptionist.ts'
import { sent } from './sent-form.ts'

const demo: BusinessDefinition = parse(readFileSync('examples/glamour-salon.yaml', 'utf8'), { merge: true })
const { shop, signedIn } = await deskSalon({}, demo)
const { db } = shop.runtime
const owner = await signedIn('owner')
const inForce = async () => (await businessDefinition(db)) ?? demo

const formAt = async (path: string) => sent((await owner.open(`/desk/setup/${path}`)).body)

/** Presses a button of the form, with some of it written otherwise. */
async function pressed(path: string, what: string, form: URLSearchParams, more: Record<string, string> = {}) {
  for (const [name, value] of Object.entries({ ...more, do: what })) form.set(name, value)
  return owner.sendForm(`/desk/setup/${path}`, form)
}

const pages = [
  ...[...SECTIONS, ...RARE_SECTIONS].filter((section) => !isList(section)),
  ...LISTS.flatMap((list) => (demo[list] ?? []).map(({ id }) => `${list}/${id}`)),
]

test.each(pages)('[what nobody touched] stays as it is: %s', async (page) => {
  const { status, body } = await pressed(page, 'review', await formAt(page))
  expect(status).toBe(200)
  expect(body).toContain('Nothing has changed.')
})

test('[a change] is shown before it is made, in the money that people write, and made when it is meant', async () => {
  const form = await formAt('services/svc_haircut')
  expect(form.get('pricing.amount')).toBe('75.00')
  const shown = await pressed('services/svc_haircut', 'review', form, {
    'pricing.amount': '80',
    'duration.fixed': '45',
  })
  expect(shown.body).toContain('Price › Amount: $75.00 → $80.00')
  expect((await inForce()).services[0]?.pricing.amount).toBe(7500)
  const back = sent((await pressed('services/svc_haircut', 'edit', sent(shown.body))).body)
  expect([back.get('pricing.amount'), back.get('duration.fixed')]).toEqual(['80.00', '45'])
  const done = await pressed('services/svc_haircut', 'apply', sent(shown.body))
  expect([done.status, done.headers.location]).toEqual([303, '/desk/setup/services?saved'])
  expect((await owner.open('/desk/setup/services?saved')).body).toContain('role="status">Saved')
  expect((await owner.open('/desk/setup/services')).body).not.toContain('role="status"')
  expect((await inForce()).services[0]).toEqual({
    ...demo.services[0],
    duration: { fixed: 'PT45M', buffer_after: 'PT15M' },
    pricing: { ...demo.services[0]?.pricing, amount: 8000 },
  })
})

test.each([
  ['en', ['minutes', 'hours', 'days', 'months', 'years']],
  ['de', ['Minuten', 'Stunden', 'Tage', 'Monate', 'Jahre']],
  ['ja', ['分', '時間', '日', 'か月', '年']],
])('[a length] has its units in words of %s, and that of now is chosen', async (language, units) => {
  const { body } = await owner.open('/desk/setup/services/svc_haircut', { 'accept-language': language })
  const [, list = ''] = /<select name="duration.fixed:unit"[^>]*>(.*?)<\/select>/s.exec(body) ?? []
  const options = [...list.matchAll(/<option value="(\w+)"( selected)?>([^<]*)</g)].map(([, ...option]) => option)
  expect(options).toEqual(
    ['minute', 'hour', 'day', 'month', 'year'].map((unit, nth) => [
      unit,
      nth === 0 ? ' selected' : undefined,
      units[nth],
    ]),
  )
})

test('[two people at once] what was made of an older version is refused with words, and kept to be read', async () => {
  const [mine, theirs] = [await formAt('business'), await formAt('hours')]
  expect((await pressed('hours', 'apply', theirs, { 'hours.0.closes': '17:30' })).status).toBe(303)
  for (const what of ['review', 'apply']) {
    const { status, body } = await pressed('business', what, mine, { 'business.name': 'Mine alone' })
    expect(status).toBe(409)
    expect(body).toContain('Someone else changed the settings in the meantime')
    expect(body).toContain('value="Mine alone"')
  }
  expect((await inForce()).business.name).toBe('Glamour Salon')
})

test('[rows] are added and taken out by a button, and all else stays as it was written', async () => {
  const form = await formAt('resources/staff_priya')
  const { body } = await pressed('resources/staff_priya', 'add:time_off', form, { name: 'Priya P.' })
  expect(sent(body).get('name')).toBe('Priya P.')
  const off = { 'time_off.0.from': '2027-03-01', 'time_off.0.to': '2027-03-05' }
  const two = sent((await pressed('resources/staff_priya', 'add:time_off', sent(body), off)).body)
  expect([two.getAll('time_off'), two.get('time_off.0.to')]).toEqual([['0', '1'], '2027-03-05'])
  const one = sent((await pressed('resources/staff_priya', 'remove:time_off:1', two)).body)
  expect((await pressed('resources/staff_priya', 'apply', one)).status).toBe(303)
  const kept = (await inForce()).resources?.find(({ id }) => id === 'staff_priya')
  expect(kept).toMatchObject({ name: 'Priya P.', time_off: [{ from: '2027-03-01', to: '2027-03-05' }] })
})

test('[something new] gets an id of its name, and leaves again', async () => {
  const form = await formAt('resources/new')
  expect((await pressed('resources/new', 'apply', form, { name: 'Zoë' })).status).toBe(303)
  expect((await inForce()).resources?.at(-1)).toEqual({ id: 'staff_zoe', type: 'staff', name: 'Zoë' })
  const shown = await pressed('resources/staff_zoe', 'gone', await formAt('resources/staff_zoe'))
  expect(shown.body).toContain('People and rooms · <bdi>Zoë</bdi>')
  expect((await pressed('resources/staff_zoe', 'apply', sent(shown.body))).status).toBe(303)
  expect((await inForce()).resources?.some(({ id }) => id === 'staff_zoe')).toBe(false)
})

test('[a new service] requires one of the staff unless that is changed, and its review says length, price and people', async () => {
  const form = await formAt('services/new')
  expect([form.get('resources.0.type'), form.get('resources.0.selectable')]).toEqual(['staff', 'true'])
  const said = { name: 'Brows', 'pricing.amount': '20', 'duration.fixed': '20' }
  const shown = await pressed('services/new', 'review', form, said)
  expect(shown.body).toContain('20 min')
  expect(shown.body).toContain('$20.00')
  expect(shown.body).toContain('Jane Smith / Alex')
  expect(shown.body).not.toContain('This service needs no team member')
  const alone = sent((await pressed('services/new', 'remove:resources:0', await formAt('services/new'))).body)
  const warned = await pressed('services/new', 'review', alone, said)
  expect(warned.body).toContain(
    'This service needs no team member, so customers can book it even while everyone is busy.',
  )
  expect(warned.body).toMatch(/<dt>People and rooms<\/dt><dd>[^<]*nothing/)
  expect((await pressed('services/new', 'apply', sent(warned.body))).status).toBe(303)
  expect((await owner.open('/desk/setup/services')).body).toMatch(
    /Brows<\/a><p class="note wrong">This service needs no team/,
  )
})

test('[what cannot be] is told beside the form that says so, and nothing is applied', async () => {
  const before = await inForce()
  const form = await formAt('services/svc_haircut')
  const wrong = { 'pricing.amount': 'a lot', 'duration.fixed': 'long' }
  const { status, body } = await pressed('services/svc_haircut', 'apply', form, wrong)
  expect(status).toBe(409)
  expect(body).toMatch(
    /role="alert">.*Services · <bdi>[^<]+<\/bdi> › Price › Amount<\/strong><\/a>: Write it like 82\.50\./s,
  )
  expect(body).toContain('value="a lot"')
  for (const id of ['pricing.amount', 'duration.fixed']) {
    expect(body).toContain(`<a href="#${id}">`)
    expect(body).toMatch(new RegExp(`<input id="${id}"[^>]* aria-invalid="true"`))
  }
  const hours = await formAt('hours')
  const closed = await pressed('hours', 'review', hours, { 'hours.0.closes': '00:01' })
  const [, field = ''] = /role="alert">.*?<a href="#([^"]+)">/s.exec(closed.body) ?? []
  expect(field).toMatch(/^hours\.0/)
  expect(closed.body).toContain(` id="${field}"`)
  const gone = await pressed('resources/staff_jane', 'gone', await formAt('resources/staff_jane'))
  expect(gone.body).toContain('refers to staff_jane, which does not exist.')
  expect(await inForce()).toEqual(before)
})

test('[as a file] it is read, taken along, and put in place of what is there', async () => {
  const file = await owner.open('/desk/setup/business.yaml')
  expect(file.headers['content-disposition']).toBe('attachment; filename="business.yaml"')
  expect(parse(file.body)).toEqual(await inForce())
  const form = await formAt('yaml')
  const wrong = await pressed('yaml', 'review', form, { definition: 'business: <b>[' })
  expect([wrong.status, sent(wrong.body).get('definition')]).toEqual([409, 'business: <b>['])
  const welcome = file.body.replace(/welcome: .*(\n {4}.*)*/, 'welcome: Come in.')
  const shown = await pressed('yaml', 'review', await formAt('yaml'), { definition: welcome })
  expect(shown.body).toContain('→ Come in.')
  expect((await pressed('yaml', 'apply', sent(shown.body))).status).toBe(303)
  expect((await inForce()).website?.welcome).toBe('Come in.')
})

test('[several reminders] are written as numbers with units, at most as many as the file may have, and none by 0', async () => {
  const given = await formAt('mails')
  const names = [
    'reminder.0',
    'reminder.0:unit',
    'reminder.0:by',
    'reminder.1',
    'reminder.1:unit',
    'reminder.1:by',
    'reminder.2',
  ]
  expect(names.map((name) => given.get(name))).toEqual(['1', 'day', '', '2', 'hour', 'text', ''])
  const set = async (form: Record<string, string>) => {
    const { status, body } = await pressed('mails', 'review', await formAt('mails'), form)
    expect(status).toBe(200)
    expect((await pressed('mails', 'apply', sent(body))).status).toBe(303)
    return [(await inForce()).reminder, body] as const
  }
  const [three, shown] = await set({ 'reminder.0': '2', 'reminder.2': '30', 'reminder.2:unit': 'minute' })
  expect(three).toEqual(['P2D', { before: 'PT2H', by: 'text' }, 'PT30M'])
  expect(shown).toContain('30 minutes')
  const [changed, described] = await set({ 'reminder.0:by': 'mail', 'reminder.1:by': '', 'reminder.2:by': 'text' })
  expect(changed).toEqual([{ before: 'P2D', by: 'mail' }, { before: 'PT2H' }, { before: 'PT30M', by: 'text' }])
  expect(described).toContain('30 minutes (Text message, otherwise email)')
  const none = { 'reminder.0': '', 'reminder.1': '0', 'reminder.1:by': '', 'reminder.2': '' }
  expect((await set(none))[0]).toEqual([{ before: 'PT0H' }])
  expect((await set({ 'reminder.0': '' }))[0]).toBeUndefined()
  const wrong = await pressed('mails', 'review', await formAt('mails'), { 'reminder.0': '3', 'reminder.1': 'soon' })
  expect(wrong.status).toBe(409)
  expect(wrong.body).toMatch(/<input id="reminder\.1"[^>]* aria-invalid="true"[^>]* value="soon"/)
  const byText = { 'reminder.0': '3', 'reminder.0:by': 'text', 'reminder.1': 'soon', 'reminder.1:by': 'mail' }
  const again = await pressed('mails', 'review', await formAt('mails'), byText)
  expect(again.body).toMatch(/<input id="reminder\.1"[^>]* aria-invalid="true"[^>]* value="soon"/)
  expect(sent(again.body).get('reminder.0:by')).toBe('text')
  const fax = await pressed('mails', 'review', await formAt('mails'), { 'reminder.0': '3', 'reminder.0:by': 'fax' })
  expect(fax.status).toBe(409)
})

test.each([
  ['PT24H', ['24', '', ''], 'PT24H'],
  [[], ['0', '', ''], []],
  [
    ['PT60M', 'PT2H', 'PT3H', 'PT4H'],
    ['60', '2', '3', '4'],
    ['PT60M', 'PT2H', 'PT3H', 'PT4H'],
  ],
  [
    ['P1D', { before: 'PT60M', by: 'text' as const }, { before: 'PT5M' }],
    ['1', '60', '5'],
    ['P1D', { before: 'PT60M', by: 'text' as const }, { before: 'PT5M' }],
  ],
  [[{ before: 'P1D', by: 'mail' as const }], ['1', '', ''], [{ before: 'P1D', by: 'mail' as const }]],
])('[reminders that nobody touched] stay as they were written: %j', async (reminder, shown, kept) => {
  const salon = await deskSalon({}, { ...demo, reminder })
  const other = await salon.signedIn('owner')
  const form = sent((await other.open('/desk/setup/mails')).body)
  const fields = [...form].filter(([name]) => /^reminder\.\d$/.test(name))
  expect(fields.map(([, value]) => value)).toEqual(shown)
  form.set('mails.reply_to', 'hello@studio.example')
  form.set('do', 'apply')
  expect((await other.sendForm('/desk/setup/mails', form)).status).toBe(303)
  const after = await businessDefinition(salon.shop.runtime.db)
  expect([after?.mails?.reply_to, after?.reminder]).toEqual(['hello@studio.example', kept])
})

test('[the reminders of one service] are set in its form', async () => {
  const { body } = await pressed('services/svc_haircut', 'review', await formAt('services/svc_haircut'), {
    'reminder.0': '3',
    'reminder.0:unit': 'day',
    'reminder.1': '2',
    'reminder.1:by': 'text',
  })
  expect((await pressed('services/svc_haircut', 'apply', sent(body))).status).toBe(303)
  const { reminder } = (await inForce()).services.find(({ id }) => id === 'svc_haircut') ?? {}
  expect(reminder).toEqual(['P3D', { before: 'PT2H', by: 'text' }])
})

test.each(['staff', 'viewer'] as const)('[settings] are neither shown to %s nor taken from them', async (role) => {
  const one = await signedIn(role)
  expect((await one.open('/desk')).body).not.toContain('/desk/setup')
  const before = await inForce()
  for (const path of ['', '/hours', '/services/svc_haircut', '/yaml']) {
    expect((await one.open(`/desk/setup${path}`)).status).toBe(403)
    expect((await one.send(`/desk/setup${path}`, { do: 'apply', definition: '{}' })).status).toBe(403)
  }
  expect((await one.open('/desk/setup/business.yaml')).status).toBe(403)
  expect(await inForce()).toEqual(before)
})

test('[settings] have no page for what there is not', async () => {
  for (const path of ['nothing', 'services/svc_none'])
    expect((await owner.open(`/desk/setup/${path}`)).status).toBe(404)
})
