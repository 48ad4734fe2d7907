import type { Localizer, Message } from '../../infra/i18n/localizer.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import { truncated } from '../pages/read-form-and-query.ts'

/** The form fields for a person. `say` is the label, and `most` is the maximum number of characters. */
const FIELDS = {
  first_name: { say: 'book.field.first_name', most: 200, type: 'text' },
  last_name: { say: 'book.field.last_name', most: 200, type: 'text' },
  phone_number: { say: 'book.field.phone', most: 40, type: 'tel' },
  email: { say: 'book.field.email', most: 254, type: 'email' },
  notes: { say: 'desk.notes', most: 2000, type: 'text' },
} as const satisfies Record<string, { say: Message; most: number; type: string }>

export type PersonField = keyof typeof FIELDS
export const PERSON_FIELDS = Object.keys(FIELDS) as PersonField[]

/**
 * Reads a form field about a person. In a form about several people, the field names of each person start with a
 * prefix.
 */
export const readPersonField = (form: URLSearchParams, name: PersonField, prefix = ''): string =>
  truncated(FIELDS[name].most, form.get(prefix + name)?.trim() ?? '')

export const personFields = (
  names: readonly PersonField[],
  valueIn: (name: PersonField) => string | undefined,
  { say }: Localizer,
  prefix = '',
): Content =>
  html`<div class="two">${names.map((name) => {
    const { say: label, most, type } = FIELDS[name]
    const id = prefix + name
    return html`<div><label for="${id}">${say(label)}</label><input id="${id}" name="${id}" type="${type}" maxlength="${most}" autocomplete="off" value="${valueIn(name) ?? ''}"${name === 'first_name' && html` required`}></div>
`
  })}</div>`
