import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readDefinition } from '../../../../src/domain/definition/read-definition.ts'
import { type Localizer, localizerFor } from '../../../../src/infra/i18n/localizer.ts'
import { Html } from '../../../../src/infra/util/html-template.ts'
import { faultText } from '../../../../src/interfaces/desk/setup/definition-fault-text.ts'
import type { BusinessDefinition } from '../../../../src/protocol/types.generated.ts'
import { businessWith, service } from '../../../support/definitions.ts'

const day = '2026-12-24'
const { policies, ...rest } = service('svc_a')
const wrong = [
  businessWith([{ ...service('svc_a'), id: '' }]),
  businessWith([service('svc_a'), service('svc_a')]),
  businessWith([service('svc_a', { pricing: { model: 'free', currency: 'USD' } })]),
  businessWith([service('svc_a', { pricing: { model: 'fixed', currency: 'USD' } })]),
  businessWith([service('svc_a', { duration: { fixed: 'PT0M' } })]),
  businessWith([service('svc_a', { locations: ['loc_none'] })]),
  businessWith([service('svc_a', { capacity: { min: 3, max: 2 } })]),
  businessWith([service('svc_a')], { hours: [{ days: ['monday'], opens: '18:00', closes: '09:00' }] }),
  businessWith([service('svc_a')], { closures: [{ from: '2026-12-26', to: day }] }),
  { ...businessWith([service('svc_a')]), closures: [{ from: 'soon' }], colour: 'red' },
  { ...businessWith([]), services: [{ ...rest, type: 'thing' }] },
]

function faultsOf(definition: unknown): string[] {
  try {
    readDefinition(JSON.stringify(definition), 'definition')
    return []
  } catch (error) {
    const [, ...lines] = String(error).split('\n')
    return lines.map((line) => line.replace(/^definition:\d+: /, ''))
  }
}

const said = (fault: string, localizer: Localizer | undefined, now?: BusinessDefinition) => {
  const content = localizer && faultText(fault, localizer, now)
  return content instanceof Html ? content.text : String(content ?? '')
}

test('[in every language] what is wrong with a form is said in the language of whoever filled it in', () => {
  const faults = wrong.flatMap(faultsOf)
  expect(faults.length).toBeGreaterThanOrEqual(wrong.length)
  const english = faults.map((fault) => said(fault, localizerFor('en')).replace(/<[^>]+>/g, ''))
  expect(english).toMatchInlineSnapshot(`
    [
      "Services › Id does not have the right format.",
      "Services › svc_a › Id is used twice: svc_a.",
      "Services › svc_a › Price › Price type is free, but requires payment.",
      "Services › svc_a › Price › Amount needs an amount above 0.",
      "Services › svc_a › Duration › Fixed must be longer than zero.",
      "Services › svc_a › Locations refers to loc_none, which does not exist.",
      "Services › svc_a › Capacity has a minimum above its maximum.",
      "Opening hours › 1 opens at 18:00, which is not before closing time (09:00).",
      "Closed dates › 1 begins on 2026-12-26, after it ends on 2026-12-24.",
      "Colour is not a known value.",
      "Closed dates › 1 › To is missing.",
      "Closed dates › 1 › From must be a date, such as 2026-12-24.",
      "Services › svc_a › Policies is missing.",
      "Services › svc_a › Type does not have the right format.",
    ]
  `)
  expect(faults.filter((fault) => /lang="en"/.test(said(fault, localizerFor('de'))))).toEqual([])
})

test('[in every language] whatever a rule of the definition refuses has words', () => {
  const folder = new URL('../../../../src/domain/definition/', import.meta.url)
  const sources = readdirSync(folder).map((name) => readFileSync(new URL(name, folder), 'utf8'))
  const refused = sources.flatMap((text) => [...text.matchAll(/\bfault\([^;]*?,\s*(?:'([^']+)'|`([^`]+)`)/g)])
  const faults = refused.map(([, plain, filled = '']) => `services.1 ${plain ?? filled.replace(/\$\{[^}]*\}/g, '7')}`)
  expect(faults.length).toBeGreaterThan(50)
  expect(faults.filter((fault) => /lang="en"/.test(said(fault, localizerFor('de'))))).toEqual([])
})

test.each([
  ['The definition takes too long to read or to write. Remove', 'Remove entries you do not need'],
  ['and 12 more', 'and 12 more'],
  ['limits.day must be >= 1', 'must be at least 1.'],
  ['business.email must match format "email"', 'must be an email address.'],
  ['business.name must NOT have more than 200 characters', 'the maximum is 200 characters'],
  ['business.accent must match pattern "^#"', 'does not have the right format.'],
  ['website.locations must NOT have duplicate items', 'contains a duplicate.'],
  ['payments.iban must be string or must be array', 'does not have the right format.'],
  ['channel.type must be "at_business"', 'must be one of'],
])('[in every language] what the schema refuses has words: %s', (fault, text) => {
  expect(said(fault, localizerFor('en'))).toContain(text)
})

test('what no language has words for stands as it is', () => {
  expect(said('services[svc_a].name is <odd>', localizerFor('de'))).toContain('<span lang="en" dir="ltr">')
  expect(said('services[svc_a].name is <odd>', localizerFor('de'))).toContain('&lt;odd&gt;')
})

test('[in every language] an amount that cannot be read is refused with one as it is written there, of the thing by its name', () => {
  const fault = 'services[svc_a].pricing.amount must be integer'
  const salon = businessWith([service('svc_a', { name: 'Haircut' })])
  const inEuros = { ...salon, business: { ...salon.business, currency: 'EUR' } }
  const told = ['en', 'de', 'ar'].map((language) =>
    said(fault, localizerFor(language), inEuros).replace(/<[^>]+>/g, ''),
  )
  expect(told).toMatchInlineSnapshot(`
    [
      "Services · Haircut › Price › Amount: Write it like 82.50.",
      "Leistungen · Haircut › Preis › Betrag: Schreiben Sie ihn wie 82,50.",
      "الخدمات · Haircut › السعر › المبلغ: اكتبه هكذا: ⁨82.50⁩.",
    ]
  `)
})
