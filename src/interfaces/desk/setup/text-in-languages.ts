import { missingLanguagesOf, type TranslatableText } from '../../../domain/definition/translatable-texts.ts'
import { languageName } from '../../../infra/i18n/language-names.ts'
import { type Content, html } from '../../../infra/util/html-template.ts'
import { countFields, type FieldContext, type FieldSpec, hint, input, isWide } from './definition-form-input.ts'
import { within } from './read-definition-form.ts'

export const plainField = (spec: FieldSpec): Content =>
  html`<div class="field${isWide(spec.kind) && ' wide'}"><label for="${spec.path}">${spec.label}</label>${hint(spec)}${input(spec)}</div>
`

/**
 * Renders a text that the business can translate, with a field for each of its languages. The language of the business
 * is first. Without scripts, the fields stand one below the other. `language-tabs.js` shows them as tabs.
 */
export function textField(spec: FieldSpec, text: TranslatableText): Content {
  const { showing, label } = spec
  const { usual, others } = showing.languages
  const hidden = notShown(text, showing)
  if (others.length === 0) return html`${plainField({ ...spec, language: usual })}${hidden}`
  const missing = missingLanguagesOf(usual, others)(text)
  const translations = others.map((language) => {
    const path = within(text.translationsPath, language)
    showing.ids.add(path)
    return { ...spec, path, value: text.translations[language], isNeeded: false, hint: undefined, language }
  })
  showing.ids.add(text.translationsPath)
  countFields(showing, translations.length)
  return html`<fieldset class="languages" id="${text.translationsPath}" data-untranslated="${showing.localizer.say('setup.untranslated')}" data-languages="${label}: ${showing.localizer.say('setup.languages')}"><legend>${label}</legend>${hint(spec)}
${[{ ...spec, language: usual }, ...translations].map((one) => inLanguage(one, missing.includes(one.language)))}${hidden}</fieldset>
`
}

function inLanguage(spec: FieldSpec & { language: string }, isMissing: boolean): Content {
  const { path, label, language, showing } = spec
  const { say, locale } = showing.localizer
  const note = `${path}-untranslated`
  return html`<div class="in-language" data-language="${language}"><label for="${path}"><span class="sr">${label}: </span><span class="language">${languageName(language, locale)}</span></label>
<p class="hint untranslated" id="${note}"${!isMissing && html` hidden`}>${say('setup.untranslated.shown')}</p>${input({ ...spec, note: isMissing ? note : undefined })}</div>
`
}

/**
 * Sends along the translations for which the form has no field. A hidden field names their languages, and tells the
 * server that the form contains all translations of the text.
 */
function notShown({ translations, translationsPath }: TranslatableText, showing: FieldContext): Content {
  const rest = Object.entries(translations).filter(([tag]) => !showing.languages.others.includes(tag))
  countFields(showing, rest.length)
  return html`<input type="hidden" name="${translationsPath}" value="${rest.map(([tag]) => tag).join(' ')}">${rest.map(
    ([tag, text]) => html`<textarea name="${within(translationsPath, tag)}" hidden>${String(text)}</textarea>`,
  )}`
}
