import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  canHavePasskeys,
  credentialIn,
  optionsToAdd,
  optionsToEnter,
  PASSKEY_SECONDS,
  passkeyMade,
  passkeyShown,
} from '../../core/authentication/passkeys.ts'
import {
  MOST_PASSKEYS,
  staffCredentials,
  staffPasskeyAdd,
  staffPasskeyFind,
  staffPasskeyUse,
} from '../../core/authentication/staff-passkeys.ts'
import { newSecret } from '../../core/keys/secrets.ts'
import { countSignInAttempt } from '../../domain/accounts/count-sign-in-attempt.ts'
import type { Database } from '../../infra/db/database.ts'
import { html } from '../../infra/util/html.ts'
import { ownCookie } from '../pages/cookies.ts'
import { hidden } from '../pages/inputs.ts'
import { formOf } from '../pages/scope.ts'
import type { Asking, DeskMeans } from './desk-calls.ts'
import type { Answer } from './desk-page.ts'
import { passkeyForm } from './passkey-form.ts'
import { comeIn, deviceOf } from './session.ts'

/** Of a browser in which nobody is signed in: what it is asked is good in no other. */
const cookie = ownCookie('usp_desk_visit')

/** Offered to who came in by a link; who comes without scripts, or whose browser cannot, goes on. */
export function passkeyPage({ who, request: { speech } }: Asking, { config }: DeskMeans, isRefused = false): Answer {
  const { say } = speech
  if (!canHavePasskeys(config)) return { to: '/desk/devices' }
  return {
    ...{ status: isRefused ? 422 : 200, title: say('desk.passkey'), who, place: 'devices' },
    body: html`${isRefused && html`<p class="note wrong" role="alert">${say('desk.passkey.failed')}</p>`}
<p>${say('desk.passkey.text')}</p>${passkeyForm('add', speech)}
<p><a class="button plain" href="/desk">${say('desk.passkey.later')}</a></p>`,
  }
}

/** What a browser is asked to make a passkey of; one that has one of theirs is told to make no other. */
export async function addOptions({ who }: Asking, means: DeskMeans) {
  const [known, definition] = [await staffCredentials(means.db, who.id), await means.business.get()]
  const business = definition?.business.name ?? 'USP'
  return optionsToAdd({ who, business, browser: who.session, known }, means)
}

/** Keeps the passkey that was made. */
export async function passkeyAdded(asking: Asking, means: DeskMeans): Promise<Answer> {
  const { who, request } = asking
  const form = formOf(request)
  const passkey = await passkeyMade(form, who.session, means)
  const known = await staffCredentials(means.db, who.id)
  if (!passkey || known.length >= MOST_PASSKEYS) return passkeyPage(asking, means, true)
  const added = { staffId: who.id, passkey, device: deviceOf(request) }
  const isAdded = await means.makeChange((tx) => staffPasskeyAdd(tx, added, means.clock()))
  if (!isAdded) return passkeyPage(asking, means, true)
  return { to: form.has('listed') ? '/desk/devices' : '/desk' }
}

/** For the list of what lets somebody in. */
export const addToList = hidden({ listed: 'yes' })

export function enterOptions(request: FastifyRequest, reply: FastifyReply, means: DeskMeans) {
  const browser = cookie.read(request, means.config) || newSecret('visit')
  cookie.keep(reply, browser, PASSKEY_SECONDS, means.config)
  return optionsToEnter(browser, means)
}

/** Lets in whoever has shown a passkey. False for all alike who have none of ours, or not here and now. */
export async function enterByPasskey(request: FastifyRequest, reply: FastifyReply, means: DeskMeans): Promise<boolean> {
  const form = formOf(request)
  const credential = credentialIn(form)
  await countSignInAttempt(means, `passkey ${credential}`, request.ip)
  const [browser, known] = [cookie.read(request, means.config), await staffPasskeyFind(means.db, credential)]
  if (!known || browser === '') return false
  const counter = await passkeyShown(form, known, browser, means)
  if (counter === undefined) return false
  const findStaff = (tx: Database, now: Date) => staffPasskeyUse(tx, credential, counter, now)
  return (await comeIn({ findStaff }, request, reply, means)) !== undefined
}
