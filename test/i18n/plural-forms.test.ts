import { parse, TYPE } from '@formatjs/icu-messageformat-parser'
import { expect, test } from 'vitest'
import { localizerFor, type Message } from '../../src/infra/i18n/localizer.ts'
import { catalogueOf } from '../../src/infra/i18n/text-catalogues.ts'

/** One number for each plural form of the language. */
const COUNTS = { ar: [0, 1, 2, 3, 11, 100], pl: [1, 2, 5, 22] }

/** The texts of every message that counts, so that a form under the wrong number shows as a changed line. */
function textsOf(language: keyof typeof COUNTS): string {
  const localizer = localizerFor(language)
  if (!localizer) throw new Error(`There is no ${language}`)
  const counted = Object.entries(catalogueOf(language)).flatMap(([message, text]) => {
    const elements = parse(text)
    const counts = elements.flatMap((element) => (element.type === TYPE.plural ? element.value : []))
    if (counts.length === 0) return []
    const others = elements.flatMap((element) => (element.type === TYPE.argument ? element.value : []))
    const named = Object.fromEntries(others.map((name) => [name, `{${name}}`]))
    const texts = COUNTS[language].map((count) => {
      const values = { ...named, ...Object.fromEntries(counts.map((name) => [name, count])) }
      return `${String(count).padStart(4)}  ${localizer.say(message as Message, values)}`
    })
    return [`${message}\n${texts.join('\n')}\n`]
  })
  return counted.join('\n')
}

test.each(['ar', 'pl'] as const)('[%s] each number has the form that the language gives it', async (language) => {
  const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions()
  const rules = new Intl.PluralRules(language)
  const reached = new Set(COUNTS[language].map((count) => rules.select(count)))
  // Polish keeps one form for fractions, and nothing here counts in fractions.
  expect([...reached].toSorted()).toEqual(
    pluralCategories.filter((form) => language !== 'pl' || form !== 'other').toSorted(),
  )
  await expect(textsOf(language)).toMatchFileSnapshot(`plural-forms.${language}.txt`)
})
