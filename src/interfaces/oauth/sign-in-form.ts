import type { FastifyReply, FastifyRequest } from 'fastify'
import { canMail } from '../../core/mails/build-queued-mails.ts'
import { SHORTEST_PASSWORD, signIn } from '../../domain/accounts/sign-in-buyer.ts'
import { SIGN_IN_LINK_MINUTES } from '../../domain/accounts/sign-in-links.ts'
import type { Localizer, Message } from '../../infra/i18n/localizer.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { startSession } from '../my-bookings/buyer-browser-session.ts'
import { accountField, newPasswordField } from '../my-bookings/email-and-password-fields.ts'
import { type SignInLinkDependencies, signInLinkForm } from '../my-bookings/request-sign-in-link-page.ts'
import type { View } from '../pages/page-layout.ts'
import { formOf } from '../pages/page-route-setup.ts'

/**
 * The result of a refused sign-in form: the error text that the form then shows, and the email address that the person
 * submitted.
 */
export interface Mistake {
  note?: Message
  email?: string
}

interface SignInForm extends Mistake {
  why: Content
  /** The path of the page with the sign-in form. A mailed sign-in link leads back to this page. */
  page: string
  below?: Content
}

/**
 * The sign-in page with two forms. In the first form, a person signs in with a password. In the second form, the person
 * requests a sign-in link. If the server cannot send mails, the second form creates an account instead.
 */
export async function signInView(
  form: SignInForm,
  localizer: Localizer,
  dependencies: SignInLinkDependencies,
): Promise<View> {
  const { say } = localizer
  const { why, note, email, below } = form
  const current = { type: 'password', autocomplete: 'current-password' } as const
  return {
    status: note === undefined ? 200 : 422,
    title: say('account.sign_in'),
    body: html`${note !== undefined && html`<p class="note wrong" role="alert">${say(note, { least: SHORTEST_PASSWORD })}</p>`}
<p>${why}</p>
<form method="post">
${accountField({ id: 'email', label: say('account.email'), type: 'email', autocomplete: 'username', value: email })}
${accountField({ id: 'password', label: say('account.password'), ...current })}
<button name="do" value="sign_in">${say('account.sign_in')}</button>
</form>
${(await canMail(dependencies)) ? await byLink(form, localizer, dependencies) : byPassword(form, localizer)}
${below}`,
  }
}

async function byLink(
  { email, page }: SignInForm,
  localizer: Localizer,
  dependencies: SignInLinkDependencies,
): Promise<Content> {
  return html`<h2>${localizer.say('account.by_link')}</h2>
<p>${localizer.say('account.by_link.text', { minutes: SIGN_IN_LINK_MINUTES })}</p>
${await signInLinkForm({ id: 'link-email', email, returnTo: page }, localizer, dependencies)}`
}

/**
 * The form to create an account with a password. The form exists only if the server cannot send mails, so the email
 * address of the new account stays unverified.
 */
const byPassword = (
  { email }: SignInForm,
  localizer: Localizer,
): Content => html`<h2>${localizer.say('account.new')}</h2>
<p>${localizer.say('account.no_mail')}</p>
<form method="post">
${accountField({ id: 'new-email', label: localizer.say('account.email'), type: 'email', autocomplete: 'email', value: email })}
${newPasswordField(localizer)}
<button name="do" value="create">${localizer.say('account.create')}</button>
</form>`

/**
 * Signs a person in with the password in the form. If the sign-in fails, returns the error text and the email address
 * for the form.
 */
export async function signInByPassword(
  request: FastifyRequest,
  reply: FastifyReply,
  dependencies: Dependencies<'db' | 'clock' | 'business' | 'limits' | 'config'>,
): Promise<Mistake | undefined> {
  const form = formOf(request)
  const entry = await signIn(form, request.ip, dependencies)
  if ('note' in entry) return { note: entry.note, email: form.get('email') ?? '' }
  await startSession(entry.session, request, reply, dependencies)
  return undefined
}
