import type { FastifyReply, FastifyRequest } from 'fastify'
import { accountsUnder } from '../../domain/accounts/buyer-accounts.ts'
import { isPassword, SHORTEST_PASSWORD, signInByLink } from '../../domain/accounts/sign-in-buyer.ts'
import { signInLinkFind } from '../../domain/accounts/sign-in-links.ts'
import type { Localizer, Message } from '../../infra/i18n/localizer.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import type { Answer, View } from '../pages/page-layout.ts'
import { formOf, queryOf } from '../pages/page-route-setup.ts'
import { startSession } from './buyer-browser-session.ts'
import { newPasswordField } from './email-and-password-fields.ts'
import { returnTo } from './page-after-sign-in.ts'
import { type SignInLinkDependencies, signInLinkForm } from './request-sign-in-link-page.ts'

export type Link = { Params: { secret: string } }

/**
 * The page that a mailed sign-in link opens. The sign-in needs a button, because mail scanners open links but press no
 * buttons. Some buyers can also choose a new password here. It replaces the old password, which an earlier owner of the
 * mailbox may have set.
 */
export async function signInPage(
  request: FastifyRequest<Link>,
  dependencies: SignInLinkDependencies & Dependencies<'db'>,
  fault?: Message,
): Promise<View> {
  const { params, localizer } = request
  const link = await signInLinkFind(dependencies.db, params.secret, dependencies.clock())
  if (!link) return invalidLinkPage(request, dependencies)
  const { say } = localizer
  const { email, return_to } = link
  const { hasPassword, hasUnproved } = await accountsUnder(dependencies.db, email)
  return {
    status: fault === undefined ? 200 : 422,
    title: say('my.sign_in'),
    body: html`${fault !== undefined && html`<p class="note wrong" role="alert">${say(fault, { least: SHORTEST_PASSWORD })}</p>`}
<p>${say('my.enter.text', { email })}</p>
${hasUnproved && html`<p class="note">${say('my.enter.unproved')}</p>`}
<form method="post"><button>${say('my.enter')}</button></form>
${(hasPassword || return_to !== null) && passwordForm(email, hasPassword, localizer)}`,
  }
}

/**
 * The form to choose a password. It contains the email address in a hidden field, so that the browser can store the
 * address together with the password.
 */
const passwordForm = (
  email: string,
  hasPassword: boolean,
  localizer: Localizer,
): Content => html`<h2>${localizer.say('account.choose')}</h2>
<p>${localizer.say(hasPassword ? 'account.choose.instead' : 'account.choose.text')}</p>
<form method="post">
<input type="email" name="email" value="${email}" autocomplete="username" hidden>
${newPasswordField(localizer)}
<button name="do" value="choose">${localizer.say('account.choose.do')}</button>
</form>`

export async function signIn(
  request: FastifyRequest<Link>,
  reply: FastifyReply,
  dependencies: SignInLinkDependencies & Dependencies<'db' | 'makeChange'>,
): Promise<Answer> {
  const form = formOf(request)
  const password = form.get('do') === 'choose' ? (form.get('password') ?? '') : undefined
  if (password !== undefined && !isPassword(password))
    return signInPage(request, dependencies, 'account.password.unusable')
  const entered = await signInByLink(request.params.secret, password, dependencies)
  if (!entered) return invalidLinkPage(request, dependencies)
  await startSession(entered.session, request, reply, dependencies)
  return { to: entered.returnTo ?? '/my' }
}

/**
 * The page for a sign-in link that is used, expired or unknown. The page is the same in all three cases. On this page,
 * the person can request a new link that leads to the same target page.
 */
async function invalidLinkPage(
  request: FastifyRequest<Link>,
  dependencies: SignInLinkDependencies & Dependencies<'db'>,
): Promise<View> {
  const { localizer } = request
  const back = await returnTo(queryOf(request).get('back'), dependencies)
  return {
    status: 404,
    title: localizer.say('my.over'),
    body: html`<p>${localizer.say('my.over.text')}</p>
${await signInLinkForm({ returnTo: back }, localizer, dependencies)}`,
  }
}
