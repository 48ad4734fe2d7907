import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  MOST_PASSKEYS,
  staffCredentials,
  staffPasskeyAdd,
  staffPasskeyFind,
  staffPasskeyUse,
} from '../../core/authentication/stored-staff-passkeys.ts'
import {
  canHavePasskeys,
  creationOptions,
  credentialIn,
  PASSKEY_SECONDS,
  signInOptions,
  verifyNewPasskey,
  verifyPasskeyUse,
} from '../../core/authentication/webauthn-passkeys.ts'
import { newSecret } from '../../core/keys/encrypt-secrets.ts'
import { countSignInAttempt } from '../../domain/accounts/count-sign-in-attempt.ts'
import type { Database } from '../../infra/db/database.ts'
import { html } from '../../infra/util/html-template.ts'
import { ownCookie } from '../pages/cookies.ts'
import { hidden } from '../pages/form-inputs.ts'
import { formOf } from '../pages/page-route-setup.ts'
import type { DeskDependencies, DeskRequest } from './call-operation-as-staff.ts'
import type { Answer } from './desk-page.ts'
import { passkeyForm } from './passkey-form.ts'
import { deviceOf, signIn } from './staff-browser-session.ts'

/**
 * A cookie that identifies a browser before a staff member signs in. A passkey challenge (a random text to sign) is
 * valid only in the browser that received it.
 */
const cookie = ownCookie('usp_desk_visit')

/**
 * The page that invites a staff member to add a passkey after a sign-in with a link. Staff can skip the page, for
 * example if their browser does not support passkeys.
 */
export function passkeyPage(
  { who, request: { localizer } }: DeskRequest,
  { config }: DeskDependencies,
  isRefused = false,
): Answer {
  const { say } = localizer
  if (!canHavePasskeys(config)) return { to: '/desk/devices' }
  return {
    status: isRefused ? 422 : 200,
    title: say('desk.passkey'),
    who,
    place: 'devices',
    body: html`${isRefused && html`<p class="note wrong" role="alert">${say('desk.passkey.failed')}</p>`}
<p>${say('desk.passkey.text')}</p>${passkeyForm('add', localizer)}
<p><a class="button plain" href="/desk">${say('desk.passkey.later')}</a></p>`,
  }
}

/**
 * Returns the options that the browser needs to create a passkey. The options list the existing passkeys of the staff
 * member, so that no device adds a second passkey.
 */
export async function addOptions({ who }: DeskRequest, dependencies: DeskDependencies) {
  const [known, definition] = [await staffCredentials(dependencies.db, who.id), await dependencies.business.get()]
  const business = definition?.business.name ?? 'USP'
  return creationOptions({ who, business, browser: who.session, known }, dependencies)
}

export async function addPasskey(deskRequest: DeskRequest, dependencies: DeskDependencies): Promise<Answer> {
  const { who, request } = deskRequest
  const form = formOf(request)
  const passkey = await verifyNewPasskey(form, who.session, dependencies)
  const credentials = await staffCredentials(dependencies.db, who.id)
  if (!passkey || credentials.length >= MOST_PASSKEYS) return passkeyPage(deskRequest, dependencies, true)
  const added = { staffId: who.id, passkey, device: deviceOf(request) }
  const isAdded = await dependencies.makeChange((tx) => staffPasskeyAdd(tx, added, dependencies.clock()))
  if (!isAdded) return passkeyPage(deskRequest, dependencies, true)
  return { to: form.has('listed') ? '/desk/devices' : '/desk' }
}

/**
 * A hidden form field on the devices page. With this field, the server redirects back to the devices page after the
 * user has added a passkey.
 */
export const addToList = hidden({ listed: 'yes' })

export function enterOptions(request: FastifyRequest, reply: FastifyReply, dependencies: DeskDependencies) {
  const browser = cookie.read(request, dependencies.config) || newSecret('visit')
  cookie.keep(reply, browser, PASSKEY_SECONDS, dependencies.config)
  return signInOptions(browser, dependencies)
}

/** Signs a staff member in with a passkey. Returns false if the sign-in fails for any reason. */
export async function enterByPasskey(
  request: FastifyRequest,
  reply: FastifyReply,
  dependencies: DeskDependencies,
): Promise<boolean> {
  const form = formOf(request)
  const credential = credentialIn(form)
  await countSignInAttempt(dependencies, `passkey ${credential}`, request.ip)
  const [browser, known] = [
    cookie.read(request, dependencies.config),
    await staffPasskeyFind(dependencies.db, credential),
  ]
  if (!known || browser === '') return false
  const counter = await verifyPasskeyUse(form, known, browser, dependencies)
  if (counter === undefined) return false
  const findStaff = (tx: Database, now: Date) => staffPasskeyUse(tx, credential, counter, now)
  return (await signIn({ findStaff }, request, reply, dependencies)) !== undefined
}
