import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { membersOf, resolved } from '../../../../src/interfaces/desk/setup/definition-schema.ts'
import { formOfSection } from '../../../../src/interfaces/desk/setup/definition-sections.ts'
import { kindOf } from '../../../../src/interfaces/desk/setup/field-kinds.ts'
import { within } from '../../../../src/interfaces/desk/setup/read-definition-form.ts'
import type { Schema } from '../../../../src/protocol/json-schemas.ts'
import type { BusinessDefinition } from '../../../../src/protocol/types.generated.ts'
import { deskSalon } from '../receptionist.ts'
import { sent } from './sent-form.ts'

const demo: BusinessDefinition = parse(readFileSync('examples/glamour-salon.yaml', 'utf8'), { merge: true })
const { signedIn } = await deskSalon({}, demo)
const owner = await signedIn('owner')

const page = async (service: string) => (await owner.open(`/desk/setup/services/${service}`)).body

/** The paths of all fields that a service can have, without those inside of its lists. */
function pathsOf(schema: Schema, path = ''): string[] {
  return membersOf(schema).flatMap(([name, member]) => {
    const inIt = resolved(member, undefined)
    const kind = kindOf(name, inIt, { title: schema.title, type: undefined })
    if (kind === 'id') return []
    return kind === 'members' ? pathsOf(inIt, within(path, name)) : within(path, name)
  })
}

/** The parts of the page, and in each what is seen at once and what is folded away. */
function partsIn(body: string) {
  const sections = body.split('<section class="form-part" aria-labelledby="').slice(1)
  return sections.map((section) => {
    const [seen = '', folded = ''] = section.split('<details class="more-fields"')
    return { name: section.slice(0, section.indexOf('"')), seen, folded }
  })
}

test.each(['svc_color', 'svc_yoga', 'svc_table', 'svc_bike', 'svc_plumbing', 'new'])(
  '[the form of a service] has four parts and each field once: %s',
  async (service) => {
    const body = await page(service)
    expect(partsIn(body).map(({ name }) => name)).toEqual(['basics', 'place', 'price', 'rules'])
    for (const { name } of partsIn(body)) expect(body).toContain(`<a href="#${name}">`)
    const paths = pathsOf(formOfSection('services').schema)
    expect(paths.length).toBeGreaterThan(60)
    // The name of the category is translated where the category is, and a new service has none.
    const shown = paths.filter((path) => service !== 'new' || path !== 'localized.category_name')
    expect(shown.filter((path) => body.split(` id="${path}"`).length !== 2)).toEqual([])
  },
)

test.each(['staff_mei', 'table_2', 'new'])(
  '[the form of a person or a room] has two parts and each field once: %s',
  async (resource) => {
    const { body } = await owner.open(`/desk/setup/resources/${resource}`)
    const [basics, hours] = partsIn(body)
    expect(partsIn(body).map(({ name }) => name)).toEqual(['basics', 'times'])
    const paths = pathsOf(formOfSection('resources').schema)
    expect(paths.length).toBeGreaterThan(10)
    expect(paths.filter((path) => body.split(` id="${path}"`).length !== 2)).toEqual([])
    for (const path of ['name', 'type', 'locations']) expect(basics?.seen).toContain(` id="${path}"`)
    expect(basics?.seen.includes(' id="seats"')).toBe(resource === 'table_2')
    for (const path of ['hours', 'time_off']) expect(hours?.seen).toContain(` id="${path}"`)
    expect(hours?.folded).toContain(' id="special_hours"')
  },
)

test('[the form of a service] shows what each service needs, and names what else is set', async () => {
  const [basics, place, price, rules] = partsIn(await page('svc_color'))
  for (const path of ['name', 'description', 'type', 'duration.fixed']) expect(basics?.seen).toContain(` id="${path}"`)
  expect(basics?.seen).toContain('<label for="duration.fixed">Duration</label>')
  for (const path of ['resources', 'locations', 'channel.type']) expect(place?.seen).toContain(` id="${path}"`)
  for (const path of ['pricing.model', 'pricing.amount']) expect(price?.seen).toContain(` id="${path}"`)
  for (const path of ['policies.booking_window.min_advance', 'policies.cancellation.allowed'])
    expect(rules?.seen).toContain(` id="${path}"`)
  for (const part of [basics, place, price, rules]) expect(part?.folded).toMatch(/^><summary>More settings/)
  expect(price?.folded).toContain('<span class="soft">Price range, Deposit, and Special prices</span>')
  expect(place?.folded).toMatch(/^><summary>More settings<\/summary>/)
})

test('[the form of a service] shows the times of a class at once, and folds them away for others', async () => {
  const [yoga] = partsIn(await page('svc_yoga'))
  const [color] = partsIn(await page('svc_color'))
  expect([yoga?.seen.includes(' id="sessions"'), color?.seen.includes(' id="sessions"')]).toEqual([true, false])
  expect(color?.folded).toContain(' id="sessions"')
})

test('[rows] are closed with their names, and one that is added or refused is open, also where it is folded away', async () => {
  const at = '/desk/setup/services/svc_color'
  const before = await page('svc_color')
  const rulesOpen = (body: string) =>
    [...body.matchAll(/<details class="one" id="price_rules\.\d"( open)?><summary>([^<]*)</g)].map(([, open, name]) =>
      open === undefined ? name : `${name}, open`,
    )
  expect(rulesOpen(before)).toEqual(['Jane on Saturdays', 'Jane', 'Saturdays'])
  expect(before).toContain('id="price_rules"')
  const form = sent(before)
  form.set('do', 'add:price_rules')
  const added = (await owner.sendForm(at, form)).body
  expect(rulesOpen(added)).toEqual(['Jane on Saturdays', 'Jane', 'Saturdays', 'Special prices 4, open'])
  expect(partsIn(added)[2]?.folded).toMatch(/^ open>/)
  expect(added).toContain('value="add:price_rules" formaction="#price_rules"')
  const wrong = sent(before)
  wrong.set('price_rules.1.percent', '-5')
  wrong.set('do', 'review')
  const refused = (await owner.sendForm(at, wrong)).body
  expect(rulesOpen(refused)).toEqual(['Jane on Saturdays', 'Jane, open', 'Saturdays'])
  expect(partsIn(refused)[2]?.folded).toMatch(/^ open>/)
})

test('[the choices of a requirement] are grouped, so that people are not between rooms', async () => {
  const [, place] = partsIn(await page('svc_massage'))
  const [first = ''] =
    /<fieldset class="ticks" id="resources\.0\.options">.*?<\/fieldset>/s.exec(place?.seen ?? '') ?? []
  const groups = [...first.matchAll(/<div class="ticks-of" data-type="(\w+)">(.*?)<\/div>/gs)]
  expect(groups.map(([, type]) => type)).toEqual(['staff', 'room', 'table', 'equipment'])
  expect(groups[0]?.[2]).toContain('Mei Chen')
  expect(groups[0]?.[2]).not.toContain('Treatment room')
})
