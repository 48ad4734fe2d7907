import { type Content, html } from '../../basics/html.ts'
import type { Speech } from '../../languages/speech.ts'
import { countries, FIELDS, type Field, type Written } from './buyer-form.ts'

/** Who it is for, as browsers know to fill it in. */
export const personFields = (written: Written, speech: Speech, needs: { phone: boolean }): Content =>
  html`<div class="two">${field('first_name', written, speech, { autocomplete: 'given-name', required: true })}
${field('last_name', written, speech, { autocomplete: 'family-name', required: true })}</div>
${field('email', written, speech, { autocomplete: 'email', type: 'email', required: true })}
${field('phone', written, speech, { autocomplete: 'tel', type: 'tel', required: needs.phone })}`

interface Kind {
  autocomplete: string
  type?: string
  required?: boolean
}

function field(
  name: Field,
  { values, faults }: Written,
  { say }: Speech,
  { autocomplete, type = 'text', required = false }: Kind,
): Content {
  const fault = faults.get(name)
  return html`<div><label for="${name}">${say(`book.field.${name}`)}${!required && html` <span class="hint">${say('book.optional')}</span>`}</label>
${fault !== undefined && html`<p class="error" id="${name}-error">${say(`book.fault.${fault}`)}</p>`}
<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" maxlength="${FIELDS[name]}" value="${values[name]}"${required && html` required`}${fault !== undefined && html` aria-invalid="true" aria-describedby="${name}-error"`}></div>`
}

export function addressFields(written: Written, speech: Speech): Content {
  const names = new Intl.DisplayNames(speech.locale, { type: 'region' })
  const order = new Intl.Collator(speech.locale)
  const all = countries()
    .map((code) => ({ code, name: names.of(code) ?? code }))
    .toSorted((one, other) => order.compare(one.name, other.name))
  const { country } = written.values
  return html`<h2>${speech.say('book.address')}</h2>
${field('line1', written, speech, { autocomplete: 'address-line1', required: true })}
${field('line2', written, speech, { autocomplete: 'address-line2' })}
<div class="two">${field('postal_code', written, speech, { autocomplete: 'postal-code' })}
${field('city', written, speech, { autocomplete: 'address-level2', required: true })}
${field('region', written, speech, { autocomplete: 'address-level1' })}
<div><label for="country">${speech.say('book.field.country')}</label>
<select id="country" name="country" autocomplete="country">${all.map(({ code, name }) => html`<option value="${code}"${code === country && html` selected`}>${name}</option>`)}</select></div></div>`
}

export const notesField = ({ values }: Written, { say }: Speech): Content =>
  html`<label for="notes">${say('book.field.notes')} <span class="hint">${say('book.optional')}</span></label>
<textarea id="notes" name="notes" rows="2" maxlength="${FIELDS.notes}">${values.notes}</textarea>`
