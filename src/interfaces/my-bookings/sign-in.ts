import type { FastifyReply, FastifyRequest } from 'fastify'
import { accountsUnder } from '../../domain/accounts/buyer-accounts.ts'
import { isPassword, SHORTEST_PASSWORD, signInByLink } from '../../domain/accounts/sign-in.ts'
import { signInLinkFind } from '../../domain/accounts/sign-in-links.ts'
import type { Localizer, Message } from '../../infra/i18n/localizer.ts'
import { type Content, html } from '../../infra/util/html.ts'
import type { Dependencies } from '../../protocol/dependencies.ts'
import type { Answer, View } from '../pages/layout.ts'
import { formOf, queryOf } from '../pages/scope.ts'
import { newPasswordField } from './account-field.ts'
import { returnTo } from './return-to.ts'
import { startSession } from './session.ts'
import { type SignInLinkDependencies, signInLinkForm } from './sign-in-link-page.ts'

export type Link = { Params: { secret: string } }

/**
 * The page behind a sign-in link. It has a button, because mail scanners open links but press no buttons.
 * A person on the way to another page may also choose a password.
 * An existing password can be replaced: an earlier owner of the mailbox may have set it.
 */
export async function signInPage(
  request: FastifyRequest<Link>,
  means: SignInLinkDependencies & Dependencies<'db'>,
  fault?: Message,
): Promise<View> {
  const { params, speech } = request
  const link = await signInLinkFind(means.db, params.secret, means.clock())
  if (!link) return invalidLinkPage(request, means)
  const { say } = speech
  const { email, return_to } = link
  const { hasPassword, hasUnproved } = await accountsUnder(means.db, email)
  return {
    status: fault === undefined ? 200 : 422,
    title: say('my.sign_in'),
    body: html`${fault !== undefined && html`<p class="note wrong" role="alert">${say(fault, { least: SHORTEST_PASSWORD })}</p>`}
<p>${say('my.enter.text', { email })}</p>
${hasUnproved && html`<p class="note">${say('my.enter.unproved')}</p>`}
<form method="post"><button>${say('my.enter')}</button></form>
${(hasPassword || return_to !== null) && passwordForm(email, hasPassword, speech)}`,
  }
}

/** The hidden address lets the browser store the password with it. */
const passwordForm = (
  email: string,
  hasPassword: boolean,
  speech: Localizer,
): Content => html`<h2>${speech.say('account.choose')}</h2>
<p>${speech.say(hasPassword ? 'account.choose.instead' : 'account.choose.text')}</p>
<form method="post">
<input type="email" name="email" value="${email}" autocomplete="username" hidden>
${newPasswordField(speech)}
<button name="do" value="choose">${speech.say('account.choose.do')}</button>
</form>`

export async function signIn(
  request: FastifyRequest<Link>,
  reply: FastifyReply,
  means: SignInLinkDependencies & Dependencies<'db' | 'makeChange'>,
): Promise<Answer> {
  const form = formOf(request)
  const password = form.get('do') === 'choose' ? (form.get('password') ?? '') : undefined
  if (password !== undefined && !isPassword(password)) return signInPage(request, means, 'account.password.unusable')
  const entered = await signInByLink(request.params.secret, password, means)
  if (!entered) return invalidLinkPage(request, means)
  await startSession(entered.session, request, reply, means)
  return { to: entered.returnTo ?? '/my' }
}

/** One answer for used, expired and unknown secrets. A new link leads to the same page as this one. */
async function invalidLinkPage(
  request: FastifyRequest<Link>,
  means: SignInLinkDependencies & Dependencies<'db'>,
): Promise<View> {
  const { speech } = request
  const back = await returnTo(queryOf(request).get('back'), means)
  return {
    status: 404,
    title: speech.say('my.over'),
    body: html`<p>${speech.say('my.over.text')}</p>
${await signInLinkForm({ returnTo: back }, speech, means)}`,
  }
}
