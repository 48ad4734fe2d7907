import type { Localizer, Message } from '../../infra/i18n/localizer.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import type { Message as Refusal } from '../../protocol/types.generated.ts'
import { type FaultyField, faultOfField } from '../pages/form-error-summary.ts'
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
export const CONTACT_FIELDS = PERSON_FIELDS.filter((name) => name !== 'notes')

/**
 * Reads a form field about a person. In a form about several people, the field names of each person start with a
 * prefix.
 */
export const readPersonField = (form: URLSearchParams, name: PersonField, prefix = ''): string =>
  truncated(FIELDS[name].most, form.get(prefix + name)?.trim() ?? '')

/** `prefix` starts the field names of this person. `faulty` is the field that the server refused. */
interface Options {
  prefix?: string
  faulty?: FaultyField | undefined
}

export const personFields = (
  names: readonly PersonField[],
  valueIn: (name: PersonField) => string | undefined,
  { say }: Localizer,
  { prefix = '', faulty }: Options = {},
): Content =>
  html`<div class="two">${names.map((name) => {
    const { say: label, most, type } = FIELDS[name]
    const id = prefix + name
    const { error, mark } = faultOfField(id, faulty?.id === id ? faulty.fault : undefined)
    return html`<div><label for="${id}">${say(label)}</label>${error}<input id="${id}" name="${id}" type="${type}" maxlength="${most}" autocomplete="off" value="${valueIn(name) ?? ''}"${name === 'first_name' && html` required`}${mark}></div>
`
  })}</div>`

/** The error texts of fields that can be invalid. Each other refused field is empty. */
const FAULTS: Partial<Record<string, Message>> = { phone_number: 'book.fault.phone', email: 'book.fault.email' }

/** Finds the person field that the server refused. The result is undefined if the refusal has another reason. */
export function refusedPersonField(
  { code, path = '' }: Pick<Refusal, 'code' | 'path'>,
  { say }: Localizer,
): FaultyField | undefined {
  const [, person, name = ''] = /^\$\.(buyer|recipient)\.(\w+)$/.exec(path) ?? []
  const field = PERSON_FIELDS.find((one) => one === name)
  if (code !== 'validation_error' || field === undefined) return undefined
  const id = person === 'recipient' ? `recipient_${field}` : field
  return { id, label: say(FIELDS[field].say), fault: say(FAULTS[field] ?? 'book.fault.missing') }
}
