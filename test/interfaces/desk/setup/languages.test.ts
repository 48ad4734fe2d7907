import { expect, test } from 'vitest'
import { businessDefinition } from '../../../../src/core/business/definition-queries.ts'
import type { BusinessDefinition } from '../../../../src/protocol/types.generated.ts'
import { businessWith, service } from '../../../support/definitions.ts'
import { deskSalon } from '../receptionist.ts'
import { sent } from './sent-form.ts'

const salon = (languages?: string[]): BusinessDefinition => {
  const definition = businessWith(
    [
      service('svc_cut', {
        name: 'Haircut',
        description: { plain: 'A cut' },
        channel: { type: 'at_business_location', instructions: 'Ring the bell' },
        categories: [
          { taxonomy: 'gpc', value: '1' },
          { taxonomy: 'merchant', name: 'Hair', primary: true },
        ],
        price_rules: [
          { percent: 90, days: ['monday'], label: 'Quiet day', localized: { label: { de: 'Ruhiger Tag' } } },
          { percent: 110, days: ['friday'], label: 'Busy day', localized: { label: { de: 'Voller Tag', en: 'Rush' } } },
        ],
        localized: { name: { de: 'Haarschnitt' }, description: { de: 'Ein Schnitt' } },
      }),
    ],
    { resources: [{ id: 'staff_ann', type: 'staff', name: 'Ann', description: 'Cuts curls' }] },
  )
  return { ...definition, business: { ...definition.business, ...(languages && { languages }) } }
}

const opened = async (definition: BusinessDefinition) => {
  const { shop, signedIn } = await deskSalon({}, definition)
  const owner = await signedIn('owner')
  const inForce = async () => (await businessDefinition(shop.runtime.db)) ?? definition
  const open = async (path: string, language = 'en') =>
    (await owner.open(`/desk/setup${path}`, { 'accept-language': language })).body
  const press = (path: string, what: string, form: URLSearchParams, more: Record<string, string> = {}) => {
    for (const [name, value] of Object.entries({ ...more, do: what })) form.set(name, value)
    return owner.sendForm(`/desk/setup${path}`, form)
  }
  return { inForce, open, press }
}

const CUT = '/services/svc_cut'
const GAP = 'Not translated yet. Customers see your original text.'
const several = await opened(salon(['de', 'ar']))

/** The fields of a text: their languages and directions, and whether customers see no translation. */
const fieldsOf = (body: string, translations: string) => {
  const [, group = ''] = body.split(`<fieldset class="languages" id="${translations}"`)
  const [fields = ''] = group.split('</fieldset>')
  return [
    ...fields.matchAll(
      /<p class="hint untranslated" id="[^"]*"( hidden)?>.*?<(?:input|textarea) id="([^"]*)"[^>]*?( aria-describedby="[^"]*")?[^>]*? lang="([^"]*)" dir="([^"]*)"/gs,
    ),
  ].map(([, isTranslated, id, , lang, dir]) =>
    [id, lang, dir, isTranslated === undefined ? 'missing' : ''].join(' ').trim(),
  )
}

test('[languages] stand at each text that can be translated, the language of the business first', async () => {
  const body = await several.open(CUT)
  expect(fieldsOf(body, 'localized.name')).toEqual([
    'name en ltr',
    'localized.name.de de ltr',
    'localized.name.ar ar rtl missing',
  ])
  expect(fieldsOf(body, 'localized.description')[0]).toBe('description.plain en ltr')
  expect(fieldsOf(body, 'localized.category_name')).toEqual([
    'categories.1.name en ltr',
    'localized.category_name.de de ltr missing',
    'localized.category_name.ar ar rtl missing',
  ])
  expect(fieldsOf(body, 'localized.channel_instructions')).toHaveLength(3)
  expect(fieldsOf(body, 'price_rules.1.localized.label')[2]).toBe('price_rules.1.localized.label.ar ar rtl missing')
  expect(body).toContain(GAP)
  expect(body).toMatch(/<label for="localized.name.de"><span class="sr">Name: <\/span><span class="language">German</)
  expect(await several.open(CUT, 'de')).toContain('<span class="language">Arabisch</span>')
  const person = await several.open('/resources/staff_ann')
  expect(fieldsOf(person, 'localized.name')).toHaveLength(3)
  expect(fieldsOf(person, 'localized.description')).toHaveLength(3)
})

test('[languages] a business with one language sees no languages, and its text says which it is', async () => {
  const { open, press } = await opened(businessWith([service('svc_cut', { name: 'Haircut' })]))
  const body = await open(CUT)
  expect(body).not.toContain('class="languages"')
  expect(body).toMatch(/<input id="name" name="name" required lang="en" dir="ltr"/)
  expect(await open('')).not.toContain('Not translated yet')
  expect((await press(CUT, 'review', sent(body))).body).toContain('Nothing has changed.')
})

test('[languages] of texts are shown even if the business does not list them', async () => {
  const { open, press, inForce } = await opened(salon())
  expect(fieldsOf(await open(CUT), 'localized.name')).toEqual(['name en ltr', 'localized.name.de de ltr'])
  const form = sent(await open('/business'))
  expect(form.getAll('business.languages')).toEqual(['de'])
  expect((await press('/business', 'review', form)).body).toContain('Nothing has changed.')
  expect((await inForce()).business.languages).toBeUndefined()
})

test('[a translation] is named with its language in the review, and texts without a field stay', async () => {
  const { open, press, inForce } = await opened(salon(['de', 'ar']))
  const form = sent(await open(CUT))
  const more = {
    'localized.name.ar': 'قص الشعر',
    'localized.category_name.de': 'Haare',
    'localized.name.de': 'Schnitt',
  }
  const { body } = await press(CUT, 'review', form, more)
  const plain = body.replaceAll(/[\u2066-\u2069]/g, '')
  expect(plain).toContain('Name › German: Haarschnitt → Schnitt')
  expect(plain).toContain('Name › Arabic: nothing → قص الشعر')
  expect(plain).toContain('Category › German: nothing → Haare')
  expect((await press(CUT, 'apply', sent(body))).status).toBe(303)
  const [cut] = (await inForce()).services
  expect(cut?.localized).toEqual({
    name: { de: 'Schnitt', ar: 'قص الشعر' },
    description: { de: 'Ein Schnitt' },
    category_name: { de: 'Haare' },
  })
  expect(cut?.price_rules?.[1]?.localized).toEqual({ label: { de: 'Voller Tag', en: 'Rush' } })
})

test('[a translation] belongs to its row, also after an earlier row was removed', async () => {
  const { open, press, inForce } = await opened(salon(['de']))
  const one = sent((await press(CUT, 'remove:price_rules:0', sent(await open(CUT)))).body)
  expect((await press(CUT, 'apply', one)).status).toBe(303)
  expect((await inForce()).services[0]?.price_rules).toMatchObject([
    { label: 'Busy day', localized: { label: { de: 'Voller Tag', en: 'Rush' } } },
  ])
})

test('[a translation] of a form that lacks its fields stays as it is, and an empty field removes it', async () => {
  const { open, press, inForce } = await opened(salon(['de']))
  const form = sent(await open(CUT))
  for (const name of ['localized.name', 'localized.name.de']) form.delete(name)
  expect((await press(CUT, 'apply', form, { 'localized.description.de': '' })).status).toBe(303)
  expect((await inForce()).services[0]?.localized).toEqual({ name: { de: 'Haarschnitt' } })
})

test('[a translation] that is refused is marked at its field, which the message names and links', async () => {
  const { body, status } = await several.press(CUT, 'review', sent(await several.open(CUT)), {
    'localized.channel_instructions.ar': 'x'.repeat(2001),
  })
  expect(status).toBe(409)
  expect(body).toMatch(/<textarea id="localized.channel_instructions.ar"[^>]* aria-invalid="true"/)
  expect(body).toMatch(/<a href="#localized.channel_instructions.ar"><strong>[^<]*<bdi>Haircut<\/bdi> › [^<]*Arabic/)
  const [place = ''] = body.split('aria-labelledby="place"').slice(1)
  expect(place).toMatch(/<details class="more-fields" open>/)
})

test('[the overview] counts what is missing in each language, and leads to the first gap', async () => {
  const body = await several.open('')
  expect(body).toMatch(
    /<a href="\/desk\/setup\/services\/svc_cut#localized.category_name.de">German <span class="soft">Not translated yet: 4 of 8/,
  )
  expect(body).toMatch(
    /<a href="\/desk\/setup\/services\/svc_cut#localized.name.ar">Arabic <span class="soft">Not translated yet: 8 of 8/,
  )
  expect(body).toContain('<bdi>Haircut</bdi> › Category')
})

test('[the overview] counts a text as translated that a reader of a regional language sees', async () => {
  const { open } = await opened(salon(['de-CH', 'en-GB']))
  const body = await open('')
  expect(body).toMatch(/Swiss High German <span class="soft">Not translated yet: 4 of 8/)
  expect(body).toContain('All texts are translated: British English')
})

test('[languages] are added and removed in the settings, and the review counts the translations that are deleted', async () => {
  const { open, press, inForce } = await opened(salon(['de']))
  const form = sent(await open('/business'))
  form.append('business.languages', 'fr')
  const added = await press('/business', 'review', form)
  expect(added.body).toMatch(/Languages of your texts: nothing → [^<]*French/)
  expect(added.body).not.toContain('is removed')
  expect((await press('/business', 'apply', sent(added.body))).status).toBe(303)
  expect((await inForce()).business.languages).toEqual(['de', 'fr'])
  const less = sent(await open('/business'))
  less.delete('business.languages', 'de')
  const removed = await press('/business', 'review', less)
  expect(removed.body.replaceAll(/[\u2066-\u2069]/g, '')).toContain(
    'German is removed. Translations that are deleted with it: 4',
  )
  expect((await press('/business', 'apply', sent(removed.body))).status).toBe(303)
  const { business, services } = await inForce()
  expect(business.languages).toEqual(['fr'])
  expect(services[0]?.localized).toBeUndefined()
  expect(services[0]?.price_rules).toMatchObject([{ label: 'Quiet day' }, { localized: { label: { en: 'Rush' } } }])
  expect(JSON.stringify(services)).not.toContain('"de"')
})
