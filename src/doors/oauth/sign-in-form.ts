import { LONGEST, SHORTEST_PASSWORD } from '../../accounts/sign-in.ts'
import { type Content, html } from '../pages/html.ts'
import type { View } from '../pages/layout.ts'

interface SignInForm {
  why: Content
  /** What a form got wrong, and the address that stood in it. */
  note?: string
  email?: string
  /** What stands below the forms. */
  below?: Content
}

/** Two forms on one page: who has an account signs in, and who has none makes one. */
export const signInView = ({ why, note, email, below }: SignInForm): View => ({
  status: note === undefined ? 200 : 422,
  title: 'Sign in',
  body: html`${note !== undefined && html`<p class="note wrong" role="alert">${note}</p>`}
<p>${why}</p>
<form method="post">
${field('email', 'E-mail address', { type: 'email', autocomplete: 'username', most: LONGEST.email, value: email })}
${field('password', 'Password', { type: 'password', autocomplete: 'current-password', most: LONGEST.password })}
<button name="do" value="sign_in">Sign in</button>
</form>
<h2>New here?</h2>
<form method="post">
${field('name', 'Your name', { type: 'text', autocomplete: 'name', most: LONGEST.name })}
${field('new-email', 'E-mail address', { type: 'email', autocomplete: 'email', most: LONGEST.email, value: email })}
${field('new-password', `Password, at least ${SHORTEST_PASSWORD} characters`, { type: 'password', autocomplete: 'new-password', most: LONGEST.password })}
<button name="do" value="create">Create an account</button>
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
