import { phoneContact } from '../../domain/desk/customers/contacts.ts'
import type { Speech } from '../../infra/i18n/speech.ts'
import { leadsNowhere } from '../../infra/util/email-address.ts'
import { html } from '../../infra/util/html.ts'
import type { GetCustomer } from '../../protocol/types.generated.ts'
import { upTo } from '../pages/form.ts'
import { type PersonField, writtenIn } from './person-fields.ts'

const WAYS = { email: 'book.field.email', phone_number: 'book.field.phone' } as const
type Way = keyof typeof WAYS
const names = { email: 'known_email', phone_number: 'known_phone_number' } as const

/** What a form may offer of a customer. */
export interface KnownPerson {
  /** For the fields. */
  values: Partial<Record<PersonField, string>>
  /** Where several addresses or numbers are known, the staff choose. */
  choices: Record<Way, string[]>
}

/** As their bookings say. A canceled booking counts for nothing: a stranger can make one and cancel it. */
export function knownPerson(bookings: GetCustomer['output']['bookings']): KnownPerson | undefined {
  const buyers = bookings.filter(({ status }) => status !== 'canceled').map(({ buyer }) => buyer)
  const [latest] = buyers
  if (!latest) return undefined
  const emails = new Map(
    buyers.filter(({ email }) => !leadsNowhere(email)).map(({ email }) => [email.toLowerCase(), email]),
  )
  const numbers = new Map(buyers.flatMap(({ phone_number: one }) => (one ? [[phoneContact(one), one]] : [])))
  const choices = { email: [...emails.values()], phone_number: [...numbers.values()] }
  const only = ([first, ...others]: string[]) => (others.length === 0 ? (first ?? '') : '')
  return {
    values: {
      ...{ first_name: latest.first_name, last_name: latest.last_name },
      ...{ email: only(choices.email), phone_number: only(choices.phone_number) },
    },
    choices,
  }
}

/** A choice for each way of which several are known. */
export const knownChoices = ({ choices }: KnownPerson, query: URLSearchParams, { say }: Speech) =>
  (['phone_number', 'email'] as const).map(
    (way) =>
      choices[way].length > 1 &&
      html`<fieldset><legend>${say(WAYS[way])}</legend><p>${say('desk.customer.which')}</p>${choices[way].map(
        (one) =>
          html`<label class="pick-one"><input type="radio" name="${names[way]}" value="${one}"${query.get(names[way]) === one && html` checked`}> <span dir="ltr">${one}</span></label>`,
      )}</fieldset>`,
  )

/** What was written, or else chosen. */
export const writtenOrChosen = (form: URLSearchParams, way: Way): string =>
  writtenIn(form, way) || upTo(254, form.get(names[way]) ?? '')
