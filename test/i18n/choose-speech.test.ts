import { expect, test } from 'vitest'
import { chooseLocalizer } from '../../src/infra/i18n/choose-localizer.ts'

test.each([
  ['what is asked for', { asked: 'de', chosen: 'fr', acceptLanguage: 'es', usual: 'it' }, 'de'],
  ['what was chosen before', { chosen: 'fr', acceptLanguage: 'es', usual: 'it' }, 'fr'],
  ['what the browser likes best', { acceptLanguage: 'xx, es;q=0.5, pl;q=0.9', usual: 'it' }, 'pl'],
  ['what the business speaks', { acceptLanguage: 'xx', usual: 'it' }, 'it'],
  ['English where nothing else is spoken', { asked: 'xx', usual: 'xx' }, 'en'],
  ['the region of the browser', { asked: 'en', acceptLanguage: 'en-GB,en;q=0.9' }, 'en-GB'],
  ['nothing that is refused', { acceptLanguage: 'de;q=0, ja' }, 'ja'],
  ['a header of any length', { acceptLanguage: 'de,'.repeat(5_000), usual: 'pt' }, 'pt'],
  ['no made-up tag', { asked: '__proto__', usual: 'nl' }, 'nl'],
])('%s', (_, wishes, locale) => {
  expect(chooseLocalizer(wishes).locale).toBe(locale)
})
