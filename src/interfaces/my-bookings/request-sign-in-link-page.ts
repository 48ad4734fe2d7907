import type { FastifyRequest } from 'fastify'
import { canMail } from '../../core/mails/build-queued-mails.ts'
import { requestSignInLink } from '../../domain/accounts/request-sign-in-link.ts'
import { LONGEST } from '../../domain/accounts/sign-in-buyer.ts'
import { SIGN_IN_LINK_MINUTES } from '../../domain/accounts/sign-in-links.ts'
import type { Localizer, Message } from '../../infra/i18n/localizer.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { contactLinks } from '../pages/business-contact-links.ts'
import { formToken, trap } from '../pages/form-token.ts'
import type { View } from '../pages/page-layout.ts'
import { formOf } from '../pages/page-route-setup.ts'
import { requestLink } from '../pages/request-mailed-link.ts'
import { returnTo } from './page-after-sign-in.ts'

export type SignInLinkDependencies = Dependencies<'config' | 'business' | 'cursors' | 'clock'>

interface SignInLinkForm {
  /** The id of the field for the email address. If a page has a second email field, this field needs another id. */
  id?: string
  email?: string | undefined
  fault?: Message
  returnTo?: string | undefined
}

/**
 * The page on which a buyer requests a sign-in link. If the server cannot send mails, the page shows the contact data
 * of the business.
 */
export async function signInLinkPage(
  submitted: SignInLinkForm,
  localizer: Localizer,
  dependencies: SignInLinkDependencies,
): Promise<View> {
  const { say } = localizer
  const { fault, returnTo } = submitted
  const text = returnTo === undefined ? 'my.ask.text' : 'account.by_link.text'
  return {
    status: fault === undefined ? 200 : 422,
    title: say(returnTo === undefined ? 'my.title' : 'my.sign_in'),
    body: html`${(await canMail(dependencies)) && html`<p>${say(text, { minutes: SIGN_IN_LINK_MINUTES })}</p>`}
${await signInLinkForm(submitted, localizer, dependencies)}`,
  }
}

export async function signInLinkForm(
  { id = 'email', email = '', fault, returnTo }: SignInLinkForm,
  { say }: Localizer,
  dependencies: SignInLinkDependencies,
): Promise<Content> {
  if (!(await canMail(dependencies))) return inTouch(say('my.no_mail'), dependencies)
  return html`<form method="post" action="/my" novalidate>
${formToken(dependencies)}${trap}${returnTo !== undefined && html`<input type="hidden" name="back" value="${returnTo}">`}
<label for="${id}">${say('my.email')}</label>
${fault !== undefined && html`<p class="error" id="email-error" role="alert">${say(fault)}</p>`}
<input id="${id}" name="email" type="email" autocomplete="email" maxlength="${LONGEST.email}" value="${email}" required${fault !== undefined && html` aria-invalid="true" aria-describedby="email-error"`}>
<button name="do" value="ask">${say('my.ask')}</button>
</form>`
}

async function inTouch(text: string, { business }: Dependencies<'business'>): Promise<Content> {
  const links = contactLinks(await business.get())
  return html`<p>${text}</p>
${links.length > 0 && html`<ul class="steps">${links.map((link) => html`<li>${link}</li>`)}</ul>`}`
}

/** The page after a request for a sign-in link. The page does not reveal whether the email address has bookings. */
const sentPage = ({ say }: Localizer, returnTo: string | undefined): View => ({
  status: 200,
  title: say('my.sent'),
  body: html`<p class="note" role="status">${say(returnTo === undefined ? 'my.sent.text' : 'my.sent.to_link', { minutes: SIGN_IN_LINK_MINUTES })}</p>
<p>${say('my.sent.nothing_came')}</p>
<p><a class="button plain" href="/my${returnTo !== undefined && `?${new URLSearchParams({ back: returnTo })}`}">${say('my.ask.again')}</a></p>`,
})

export async function sendSignInLink(
  request: FastifyRequest,
  dependencies: SignInLinkDependencies & Dependencies<'db' | 'limits' | 'makeChange' | 'strangerLimitMet' | 'tag'>,
): Promise<View> {
  const { localizer } = request
  const back = await returnTo(formOf(request).get('back'), dependencies)
  if (!(await canMail(dependencies))) return signInLinkPage({ returnTo: back }, localizer, dependencies)
  const submitted = await requestLink(request, dependencies, (one) => requestSignInLink(one, back, dependencies))
  return submitted.fault === undefined
    ? sentPage(localizer, back)
    : signInLinkPage({ ...submitted, returnTo: back }, localizer, dependencies)
}
