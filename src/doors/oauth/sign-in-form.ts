import { LONGEST, SHORTEST_PASSWORD } from '../../accounts/sign-in.ts'
import { type Content, html } from '../../basics/html.ts'
import type { Message } from '../../languages/catalogue.ts'
import type { Speech } from '../../languages/speech.ts'
import type { View } from '../pages/layout.ts'

interface SignInForm {
  why: Content
  /** What a form got wrong, and the address that stood in it. */
  note?: Message
  email?: string
  /** A way in that takes no password. */
  instead?: Content
  /** What stands below the forms. */
  below?: Content
}

const least = SHORTEST_PASSWORD

/** Two forms on one page: who has an account signs in, and who has none makes one. */
export const signInView = ({ why, note, email, instead, below }: SignInForm, { say }: Speech): View => ({
  status: note === undefined ? 200 : 422,
  title: say('account.sign_in'),
  body: html`${note !== undefined && html`<p class="note wrong" role="alert">${say(note, { least })}</p>`}
<p>${why}</p>
<form method="post">
${field('email', say('account.email'), { type: 'email', autocomplete: 'username', most: LONGEST.email, value: email })}
${field('password', say('account.password'), { type: 'password', autocomplete: 'current-password', most: LONGEST.password })}
<button name="do" value="sign_in">${say('account.sign_in')}</button>
</form>
${instead}
<h2>${say('account.new')}</h2>
<form method="post">
${field('name', say('account.name'), { type: 'text', autocomplete: 'name', most: LONGEST.name })}
${field('new-email', say('account.email'), { type: 'email', autocomplete: 'email', most: LONGEST.email, value: email })}
${field('new-password', say('account.new_password', { least }), { type: 'password', autocomplete: 'new-password', most: LONGEST.password })}
<button name="do" value="create">${say('account.create')}</button>
</form>
${below}`,
})

interface Field {
  type: string
  autocomplete: string
  most: number
  value?: string | undefined
}

const field = (id: string, label: string, { type, autocomplete, most, value }: Field): Content =>
  html`<label for="${id}">${label}</label>
<input id="${id}" name="${id.replace('new-', '')}" type="${type}" autocomplete="${autocomplete}" maxlength="${most}" required${
    value ? html` value="${value}"` : ''
  }>`
