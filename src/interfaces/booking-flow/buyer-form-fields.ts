import { canBeAnswered } from '../../infra/config/text-provider.ts'
import type { Localizer } from '../../infra/i18n/localizer.ts'
import { collator, displayNames } from '../../infra/util/cached-intl-formatters.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import { memoize } from '../../infra/util/memoize.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { type FaultyField, faultOfField, faultSummary } from '../pages/form-error-summary.ts'
import { type BuyerForm, countries, FIELDS, type Field } from './buyer-form.ts'

const MOST_LOCALES = 64

export const personFields = (buyerForm: BuyerForm, localizer: Localizer, needs: { phone: boolean }): Content =>
  html`<div class="two">${field('first_name', buyerForm, localizer, { autocomplete: 'given-name', required: true })}
${field('last_name', buyerForm, localizer, { autocomplete: 'family-name', required: true })}</div>
${field('email', buyerForm, localizer, { autocomplete: 'email', type: 'email', required: true })}
${field('phone', buyerForm, localizer, { autocomplete: 'tel', type: 'tel', required: needs.phone })}`

type Fault = BuyerForm['faults'] extends ReadonlyMap<unknown, infer F> ? F : never

interface Kind {
  autocomplete: string
  type?: string
  required?: boolean
}

function field(
  name: Field,
  buyerForm: BuyerForm,
  localizer: Localizer,
  { autocomplete, type = 'text', required = false }: Kind,
): Content {
  const { say } = localizer
  const { error, mark } = faultOf(name, buyerForm, localizer)
  return html`<div><label for="${name}">${say(`book.field.${name}`)}${!required && html` <span class="hint">${say('book.optional')}</span>`}</label>
${error}
<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" maxlength="${FIELDS[name]}" value="${buyerForm.values[name]}"${required && html` required`}${mark}></div>`
}

/**
 * The box with which a buyer agrees to text messages. It is empty at first, because only a clear action is consent. The
 * page shows it only if the server can send text messages.
 */
export async function textConsent(
  { values }: BuyerForm,
  localizer: Localizer,
  { business }: Dependencies<'business'>,
): Promise<Content> {
  const { say } = localizer
  const [provider, definition] = [await business.textProvider(), await business.get()]
  if (!provider) return undefined
  const names = displayNames(localizer.locale, { type: 'region' })
  const countries = localizer.list(provider.countries.map((country) => names.of(country) ?? country))
  const howToEnd = canBeAnswered(provider)
    ? say('book.texts.stop')
    : say('book.texts.contact', { business: definition?.business.name ?? '' })
  const where = provider.countries.length <= MAX_NAMED_COUNTRIES && say('book.texts.countries', { countries })
  return html`<p class="check"><input type="checkbox" id="texts" name="texts" value="on" aria-describedby="texts-hint"${values.texts !== '' && html` checked`}><label for="texts">${say('book.field.texts')}</label></p>
<p class="hint" id="texts-hint">${howToEnd}${where && html` ${where}`}</p>`
}

/** With more countries, the page does not list them. */
const MAX_NAMED_COUNTRIES = 5

const faultyFields = ({ faults }: BuyerForm, { say }: Localizer): FaultyField[] =>
  [...faults].map(([id, fault]) => ({ id, label: say(`book.field.${id}`), fault: say(`book.fault.${fault}`) }))

/**
 * The summary of errors above a refused form. For a single invalid field, the summary is one sentence with a link, such
 * as "Please check your email address." A note about another problem comes before the list of the invalid fields.
 */
export function detailsSummary(buyerForm: BuyerForm, localizer: Localizer, note?: string): Content {
  const { say } = localizer
  const fields = faultyFields(buyerForm, localizer)
  if (note !== undefined) return faultSummary(note, fields)
  const [only, ...others] = buyerForm.faults.keys()
  if (only === undefined) return undefined
  return others.length === 0
    ? faultSummary(html`<a href="#${only}">${say(`book.check.${only}`)}</a>`, [])
    : faultSummary(say('book.details.wrong', { count: fields.length }), fields)
}

function faultOf(name: Field, { faults }: { faults: ReadonlyMap<Field, Fault> }, { say }: Localizer) {
  const fault = faults.get(name)
  return faultOfField(name, fault && say(`book.fault.${fault}`))
}

export const addressFields = (buyerForm: BuyerForm, localizer: Localizer): Content =>
  html`<h2>${localizer.say('book.address')}</h2>
${field('line1', buyerForm, localizer, { autocomplete: 'address-line1', required: true })}
${field('line2', buyerForm, localizer, { autocomplete: 'address-line2' })}
<div class="two">${field('postal_code', buyerForm, localizer, { autocomplete: 'postal-code' })}
${field('city', buyerForm, localizer, { autocomplete: 'address-level2', required: true })}
${field('region', buyerForm, localizer, { autocomplete: 'address-level1' })}
${countryField(buyerForm, localizer)}</div>`

/**
 * The form field for the country. If the server knows no default country, the first option is empty. A buyer then
 * cannot submit a wrong country by accident.
 */
function countryField(buyerForm: BuyerForm, localizer: Localizer): Content {
  const { country } = buyerForm.values
  const { error, mark } = faultOf('country', buyerForm, localizer)
  const all = countriesIn(localizer.locale)
  const option = (code: string, name: string) =>
    html`<option value="${code}"${code === country && html` selected`}>${name}</option>`
  return html`<div><label for="country">${localizer.say('book.field.country')}</label>
${error}
<select id="country" name="country" autocomplete="country" required${mark}>${!all.some(({ code }) => code === country) && html`<option value=""></option>`}${all.map(({ code, name }) => option(code, name))}</select></div>`
}

const countriesIn = memoize(MOST_LOCALES, (locale: string) => {
  const names = displayNames(locale, { type: 'region' })
  const order = collator(locale, {})
  return countries()
    .map((code) => ({ code, name: names.of(code) ?? code }))
    .toSorted((one, other) => order.compare(one.name, other.name))
})

export const notesField = ({ values }: BuyerForm, { say }: Localizer): Content =>
  html`<label for="notes">${say('book.field.notes')} <span class="hint">${say('book.optional')}</span></label>
<textarea id="notes" name="notes" rows="2" maxlength="${FIELDS.notes}">${values.notes}</textarea>`
