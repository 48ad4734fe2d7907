import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser'
import { describe, expect, test } from 'vitest'
import { isLanguage, languages } from '../../src/infra/i18n/languages.ts'
import { localizerFor } from '../../src/infra/i18n/localizer.ts'
import { catalogueOf } from '../../src/infra/i18n/text-catalogues.ts'
import en from '../../src/infra/i18n/texts/en.json' with { type: 'json' }

const TEXTS = join(import.meta.dirname, '../../src/infra/i18n/texts')

/** What stands in the places of a message, however deep they are. */
function parameters(elements: MessageFormatElement[]): string[] {
  return elements.flatMap((element): string[] => {
    if (element.type === TYPE.argument) return [element.value]
    if (element.type === TYPE.plural || element.type === TYPE.select)
      return [element.value, ...Object.values(element.options).flatMap(({ value }) => parameters(value))]
    return []
  })
}

const plurals = (elements: MessageFormatElement[]) => elements.filter((element) => element.type === TYPE.plural)

const of = (text: string) => [...new Set(parameters(parse(text)))].toSorted()

describe.each(Object.keys(languages).filter(isLanguage))('[%s]', (language) => {
  const catalogue = catalogueOf(language)

  test('says everything that English says, and nothing else', () => {
    expect(Object.keys(catalogue).toSorted()).toEqual(Object.keys(en).toSorted())
    expect(Object.values(catalogue).filter((text) => text.trim() === '')).toEqual([])
  })

  test.each(Object.entries(en))('%s has the same parameters', (message, text) => {
    expect(of(catalogue[message as keyof typeof en])).toEqual(of(text))
  })

  test('counts as the language does: every form of its plurals, and only what is a place is one', () => {
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions()
    for (const [message, text] of Object.entries(catalogue)) {
      expect(text, message).not.toMatch(/['<>]/)
      for (const plural of plurals(parse(text))) {
        const given = Object.keys(plural.options).filter((form) => !form.startsWith('='))
        const named = new Set('=1' in plural.options && pluralCategories.includes('one') ? [...given, 'one'] : given)
        expect([...named].toSorted(), message).toEqual(pluralCategories.toSorted())
      }
    }
  })

  test('every message can be said', () => {
    const localizer = localizerFor(language)
    for (const [message, text] of Object.entries(en)) {
      const values = Object.fromEntries(of(text).map((name) => [name, 3]))
      expect(localizer?.say(message as keyof typeof en, values)).not.toBe('')
    }
  })
})

test('every language has a name, and writes from the side that it is written from', () => {
  expect(
    Object.keys(languages)
      .map((one) => `${one}.json`)
      .toSorted(),
  ).toEqual(readdirSync(TEXTS).toSorted())
  expect(localizerFor('ar')?.direction).toBe('rtl')
  expect(localizerFor('de-AT')).toMatchObject({ direction: 'ltr', language: 'de', locale: 'de-AT' })
  expect(localizerFor('xx')).toBeUndefined()
})

test.each([
  ['en', '1 hr 30 min'],
  ['de', '1 Std. 30 Min.'],
])('[%s] a length of time is one, not a list: %s', (language, said) => {
  expect(
    localizerFor(language)
      ?.length(90 * 60_000)
      .replace(/\s/g, ' '),
  ).toBe(said)
})

test.each(Object.keys(languages))('[%s] the units of a length stand beside each other', (language) => {
  expect(localizerFor(language)?.length(90 * 60_000)).not.toContain(',')
})
