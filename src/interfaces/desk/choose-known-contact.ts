import { phoneContact } from '../../domain/desk/customers/match-customers-by-contact.ts'
import type { Localizer } from '../../infra/i18n/localizer.ts'
import { isUndeliverable } from '../../infra/util/email-address.ts'
import { html } from '../../infra/util/html-template.ts'
import type { GetCustomer } from '../../protocol/types.generated.ts'
import { radioChoice } from '../pages/form-inputs.ts'
import { truncated } from '../pages/read-form-and-query.ts'
import { type PersonField, readPersonField } from './person-fields.ts'

const WAYS = { email: 'book.field.email', phone_number: 'book.field.phone' } as const
type Way = keyof typeof WAYS
const names = { email: 'known_email', phone_number: 'known_phone_number' } as const

export interface KnownContacts {
  values: Partial<Record<PersonField, string>>
  /** All email addresses and phone numbers in earlier bookings of the customer. Staff choose between them. */
  choices: Record<Way, string[]>
}

/**
 * Reads the contact data of a customer from the customer's bookings. Anyone can create a booking in the name of the
 * customer, and then cancel it. Therefore the function ignores canceled bookings.
 */
export function knownContacts(bookings: GetCustomer['output']['bookings']): KnownContacts | undefined {
  const buyers = bookings.filter(({ status }) => status !== 'canceled').map(({ buyer }) => buyer)
  const [latest] = buyers
  if (!latest) return undefined
  const emails = new Map(
    buyers.filter(({ email }) => !isUndeliverable(email)).map(({ email }) => [email.toLowerCase(), email]),
  )
  const numbers = new Map(buyers.flatMap(({ phone_number: one }) => (one ? [[phoneContact(one), one]] : [])))
  const choices = { email: [...emails.values()], phone_number: [...numbers.values()] }
  const only = ([first, ...others]: string[]) => (others.length === 0 ? (first ?? '') : '')
  return {
    values: {
      first_name: latest.first_name,
      last_name: latest.last_name,
      email: only(choices.email),
      phone_number: only(choices.phone_number),
    },
    choices,
  }
}

export const knownChoices = ({ choices }: KnownContacts, query: URLSearchParams, { say }: Localizer) =>
  (['phone_number', 'email'] as const).map(
    (way) =>
      choices[way].length > 1 &&
      html`<fieldset><legend>${say(WAYS[way])}</legend><p>${say('desk.customer.which')}</p>${choices[way].map((one) =>
        radioChoice(
          { name: names[way], value: one, isChosen: query.get(names[way]) === one },
          html`<span dir="ltr">${one}</span>`,
        ),
      )}</fieldset>`,
  )

export const typedOrChosen = (form: URLSearchParams, way: Way): string =>
  readPersonField(form, way) || truncated(254, form.get(names[way]) ?? '')
