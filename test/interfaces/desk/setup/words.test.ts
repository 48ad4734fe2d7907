import { expect, test } from 'vitest'
import { catalogueOf } from '../../../../src/infra/i18n/text-catalogues.ts'
import { RARE_SECTIONS, SECTIONS } from '../../../../src/interfaces/desk/setup/definition-sections.ts'
import { DAYS } from '../../../../src/interfaces/desk/setup/field-labels.ts'
import { deskSalon } from '../receptionist.ts'
import { shownFields } from './shown-fields.ts'

const fields = shownFields()
const isSaid = (message: string) => Object.hasOwn(catalogueOf('en'), message)

test('[labels] every section and every field of a form has one in the catalogues', () => {
  const names = new Set([...SECTIONS, ...RARE_SECTIONS, ...fields.map(({ name }) => name)])
  expect(names.size).toBeGreaterThan(150)
  expect([...names].filter((name) => !isSaid(`setup.${name}`))).toEqual([])
})

test('[labels] so has everything that can be chosen', () => {
  const values = new Set<string>(fields.flatMap((field) => field.values))
  for (const day of DAYS) values.delete(day)
  expect([...values].filter((one) => !isSaid(`setup.is.${one}`) && !isSaid(`setup.channel.${one}`))).toEqual([])
})

test('[hints] each is beside some field', () => {
  const spots = new Set(fields.flatMap(({ name, title }) => [name, `${title}.${name}`]))
  const hints = Object.keys(catalogueOf('en')).filter((message) => message.startsWith('setup.hint.'))
  expect(hints.length).toBeGreaterThan(50)
  expect(hints.filter((message) => !spots.has(message.replace('setup.hint.', '')))).toEqual([])
})

test('[a form] is in the language of whoever reads it, wherever it is folded away', async () => {
  const { signedIn } = await deskSalon()
  const owner = await signedIn('owner')
  const { body } = await owner.open('/desk/setup/services/svc_auto', { 'accept-language': 'de' })
  for (const label of [
    'Höchstens wie oft',
    'Gebühr für späte Stornierung',
    'Nach einem abgelehnten Angebot',
    'Warteliste nehmen',
  ])
    expect(body).toContain(label)
  expect(body).toMatch(
    /<p class="hint" id="policies.cancellation.free_cancellation_until-hint">Wie lange vor Beginn\.</,
  )
  expect(body).toMatch(/id="policies.cancellation.free_cancellation_until"[^>]* aria-describedby="policies.cancell/)
  // Only what the owner writes is in the language of the business.
  expect(body.replaceAll(/<(?:input|textarea) [^>]*>/g, '')).not.toContain('lang="en"')
})
