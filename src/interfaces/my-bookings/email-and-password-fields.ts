import { LONGEST, SHORTEST_PASSWORD } from '../../domain/accounts/sign-in-buyer.ts'
import type { Localizer } from '../../infra/i18n/localizer.ts'
import { type Content, html } from '../../infra/util/html-template.ts'

interface Field {
  id: string
  label: string
  type: 'email' | 'password'
  autocomplete: string
  value?: string | undefined
}

/** A form field for an email address or a password. The name of the field is the same as its type. */
export const accountField = ({ id, label, type, autocomplete, value }: Field): Content =>
  html`<label for="${id}">${label}</label>
<input id="${id}" name="${type}" type="${type}" autocomplete="${autocomplete}" maxlength="${LONGEST[type]}" required${
    value ? html` value="${value}"` : ''
  }>`

export const newPasswordField = ({ say }: Localizer): Content =>
  accountField({
    id: 'new-password',
    label: say('account.new_password', { least: SHORTEST_PASSWORD }),
    type: 'password',
    autocomplete: 'new-password',
  })
