import { type OfferedLanguages, withoutTranslations } from '../../../domain/definition/offered-languages.ts'
import { languageName } from '../../../infra/i18n/language-names.ts'
import type { Localizer } from '../../../infra/i18n/localizer.ts'
import { type Content, html } from '../../../infra/util/html-template.ts'
import { asRecord } from '../../../infra/util/object-members.ts'
import type { Section } from './definition-sections.ts'

/** Returns the value of a form in which all languages of the texts of the business are selected. */
export function withOfferedLanguages(section: Section, value: object, { others }: OfferedLanguages): object {
  const { business } = asRecord(value)
  return section === 'business' && others.length > 0
    ? { ...value, business: { ...asRecord(business), languages: others } }
    : value
}

interface LanguageChoice {
  section: Section
  before: object
  offered: OfferedLanguages
  localizer: Localizer
}

/**
 * Applies the languages that the user selected in the settings of the business. If the user removed a language, the
 * function also removes its translations, and describes this for the review. If the user changed no language, the
 * definition keeps its own list, which can lack languages of existing translations.
 */
export async function withChosenLanguages(
  proposed: object,
  { section, before, offered, localizer }: LanguageChoice,
): Promise<{ definition: object; consequences: Content }> {
  if (section !== 'business') return { definition: proposed, consequences: undefined }
  const { language, languages } = asRecord(asRecord(proposed).business)
  const chosen = new Set<unknown>(Array.isArray(languages) ? languages : [])
  const gone = offered.others.filter((tag) => !chosen.has(tag) && tag !== language)
  if (gone.length === 0 && chosen.size === offered.others.length) {
    const stored = asRecord(asRecord(before).business).languages
    return { definition: withLanguages(proposed, stored), consequences: undefined }
  }
  const { definition, removed } = await withoutTranslations(proposed, gone)
  const counts = [...removed].filter(([, count]) => count > 0)
  return {
    definition,
    consequences: counts.map(
      ([tag, count]) =>
        html`<p class="note wrong">${localizer.say('setup.language.removed', { language: localizer.isolate(languageName(tag, localizer.locale)), count })}</p>`,
    ),
  }
}

function withLanguages(definition: object, languages: unknown): object {
  const members = Object.entries(asRecord(asRecord(definition).business))
  const business = members.flatMap(([name, value]) => {
    if (name !== 'languages') return [[name, value]]
    return languages === undefined ? [] : [[name, languages]]
  })
  return { ...definition, business: Object.fromEntries(business) }
}
