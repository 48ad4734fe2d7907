import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { staffLinkFind, staffLinkUse } from '../../core/authentication/desk-sign-in-links.ts'
import { staffCredentials } from '../../core/authentication/stored-staff-passkeys.ts'
import { canHavePasskeys } from '../../core/authentication/webauthn-passkeys.ts'
import { canMail } from '../../core/mails/build-queued-mails.ts'
import { SIGN_IN_LINK_MINUTES } from '../../domain/accounts/sign-in-links.ts'
import { mailDeskLink } from '../../domain/desk/staff/create-desk-link.ts'
import type { Database } from '../../infra/db/database.ts'
import type { Message } from '../../infra/i18n/localizer.ts'
import { USP } from '../../infra/util/command-line-error.ts'
import { html } from '../../infra/util/html-template.ts'
import { forbidden } from '../pages/error-pages.ts'
import { digestOfForm, formToken, isOurForm, trap } from '../pages/form-token.ts'
import { formOf, isForeign, pageRoute } from '../pages/page-route-setup.ts'
import { requestLink } from '../pages/request-mailed-link.ts'
import type { DeskDependencies } from './call-operation-as-staff.ts'
import { companySignInButton } from './company-sign-in-button.ts'
import { type DeskView, sendDesk } from './desk-page.ts'
import { PASSKEY_WAYS, passkeyForm } from './passkey-form.ts'
import { addOptions, enterByPasskey, enterOptions } from './passkey-page.ts'
import { findSignedInStaff, resumeSession, signIn } from './staff-browser-session.ts'

type Link = { Params: { secret: string } }

const PATH = '/desk/enter'
const LINK = '/desk/enter/:secret'

const SECRET_BYTES = 32

/**
 * Serves two ways to sign in: with a passkey, and with a desk link (a link that signs a staff member in). Also
 * serves the form that requests a desk link.
 */
export function serveSignIn(scope: FastifyInstance, dependencies: DeskDependencies) {
  const options = pageRoute(dependencies)
  const sent = (path: string, work: (request: FastifyRequest<Link>, reply: FastifyReply) => Promise<unknown>) =>
    scope.post<Link>(path, options, async (request, reply) =>
      isForeign(request, dependencies.config)
        ? sendDesk(reply, forbidden(request.localizer), dependencies)
        : work(request, reply),
    )
  scope.get(PATH, options, async (request, reply) =>
    sendDesk(
      reply,
      (await findSignedInStaff(request, dependencies)) ? { to: '/desk' } : await signInPage(request, dependencies),
      dependencies,
    ),
  )
  sent(PATH, async (request, reply) => {
    if (!formOf(request).has('signature'))
      return sendDesk(reply, await sendDeskLink(request, dependencies), dependencies)
    const isIn = await enterByPasskey(request, reply, dependencies)
    return sendDesk(reply, isIn ? { to: '/desk' } : await signInPage(request, dependencies, REFUSED), dependencies)
  })
  sent(PASSKEY_WAYS.enter.options, async (request, reply) =>
    reply.send(await enterOptions(request, reply, dependencies)),
  )
  sent(PASSKEY_WAYS.add.options, async (request, reply) => {
    const who = await findSignedInStaff(request, dependencies)
    if (!who) return sendDesk(reply, forbidden(request.localizer), dependencies)
    return reply.send(await addOptions({ who, request }, dependencies))
  })
  scope.get<Link>(LINK, options, async (request, reply) =>
    sendDesk(reply, await linkPage(request, dependencies), dependencies),
  )
  sent(LINK, async (request, reply) => {
    const who = await enterByLink(request, reply, dependencies)
    if (who === undefined) return sendDesk(reply, await signInPage(request, dependencies, INVALID_LINK), dependencies)
    const isOffered =
      canHavePasskeys(dependencies.config) && (await staffCredentials(dependencies.db, who)).length === 0
    return sendDesk(reply, { to: isOffered ? '/desk/passkey' : '/desk' }, dependencies)
  })
}

/**
 * Signs a staff member in with a desk link, which works only once. The first response with the session cookie can get
 * lost. Therefore a second submission of the same form continues the same browser session, if the session and the form
 * token are still valid.
 */
async function enterByLink(
  request: FastifyRequest<Link>,
  reply: FastifyReply,
  dependencies: DeskDependencies,
): Promise<string | undefined> {
  const { secret: link } = request.params
  const form = formOf(request)
  const secret = isOurForm(form, dependencies)
    ? `desk_${dependencies.tag('session by link', `${link} ${digestOfForm(form)}`, SECRET_BYTES)}`
    : undefined
  const findStaff = (tx: Database, now: Date) => staffLinkUse(tx, link, now)
  const who = await signIn({ findStaff, secret }, request, reply, dependencies)
  return who ?? (secret === undefined ? undefined : resumeSession(secret, reply, dependencies))
}

interface Refused {
  status: number
  /** The message that the sign-in page shows if the server refused the email address. */
  fault?: Message
  email?: string
  /** The message above the form for a refused passkey or desk link. */
  problem?: Message
}

const REFUSED: Refused = { status: 422, problem: 'desk.passkey.failed' }
const INVALID_LINK: Refused = { status: 404, problem: 'desk.link.over' }

/**
 * The sign-in page of the desk (the staff pages). After a failed sign-in by link, the page does not say whether the
 * link was used, expired or unknown.
 */
export async function signInPage(
  request: FastifyRequest,
  dependencies: DeskDependencies,
  { status, fault, email = '', problem }: Refused = { status: 200 },
): Promise<DeskView> {
  const { localizer } = request
  const { say } = localizer
  const byCompany = await companySignInButton(request, dependencies)
  const [mayAsk, mayPasskey] = [await canMail(dependencies), canHavePasskeys(dependencies.config)]
  const otherwise = html`<p class="soft">${say('desk.outside')}</p><pre dir="ltr">${USP} staff link NAME</pre>`
  const byMail = html`<form method="post" action="${PATH}" novalidate>${formToken(dependencies)}${trap}
<label for="email">${say('my.email')}</label>
${fault !== undefined && html`<p class="error" id="email-error" role="alert">${say(fault)}</p>`}
<input id="email" name="email" type="email" autocomplete="email" maxlength="254" value="${email}" required${fault !== undefined && html` aria-invalid="true" aria-describedby="email-error"`}>
<button${(byCompany || mayPasskey) && html` class="plain"`}>${say('my.ask')}</button></form>`
  return {
    status,
    title: say('my.sign_in'),
    body: html`${problem !== undefined && html`<p class="note wrong" role="alert">${say(problem)}</p>`}
${byCompany}${mayPasskey && passkeyForm('enter', localizer, '', byCompany !== undefined)}${mayAsk && byMail}
${mayAsk || mayPasskey ? html`<details><summary>${say('desk.outside.other')}</summary>${otherwise}</details>` : otherwise}`,
  }
}

/**
 * Mails a desk link (a link that signs a staff member in) if the email address belongs to a staff member. The answer is
 * the same for all email addresses, because it must not reveal the email addresses of staff.
 */
async function sendDeskLink(request: FastifyRequest, dependencies: DeskDependencies): Promise<DeskView> {
  const { say } = request.localizer
  if (!(await canMail(dependencies))) return signInPage(request, dependencies)
  const { email, fault } = await requestLink(request, dependencies, (one) => mailDeskLink(one, dependencies))
  if (fault !== undefined) return signInPage(request, dependencies, { status: 422, fault, email })
  return {
    status: 200,
    title: say('my.sent'),
    body: html`<p class="note" role="status">${say('desk.sent', { minutes: SIGN_IN_LINK_MINUTES })}</p>
<p><a class="button plain" href="/desk">${say('my.ask.again')}</a></p>`,
  }
}

/**
 * The page that a desk link opens. A staff member must press a button on this page to sign in, because mail scanners
 * open links but press no buttons.
 */
async function linkPage(request: FastifyRequest<Link>, dependencies: DeskDependencies): Promise<DeskView> {
  const { say } = request.localizer
  const name = await staffLinkFind(dependencies.db, request.params.secret, dependencies.clock())
  if (name === undefined) return signInPage(request, dependencies, INVALID_LINK)
  return {
    status: 200,
    title: say('my.sign_in'),
    body: html`<p>${say('desk.enter.text', { name })}</p><form method="post">${formToken(dependencies)}<button>${say('my.enter')}</button></form>`,
  }
}
