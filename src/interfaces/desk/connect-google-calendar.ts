import { recordFirstUse } from '../../core/authentication/refuse-replayed-proofs.ts'
import type { SignedInStaff } from '../../core/authentication/staff-sessions.ts'
import { type StoredCalendarApp, storedCalendarApp } from '../../core/business/calendar-app-queries.ts'
import { seal, unsealIfPossible } from '../../core/keys/encrypt-secrets.ts'
import { UnreadCalendarError } from '../../domain/busy-times/calendar-problems.ts'
import { connectCalendar } from '../../domain/busy-times/connect-calendar.ts'
import { authorizationUrl, googleApp, tokensForCode } from '../../domain/busy-times/google/google-access.ts'
import { googleClient } from '../../domain/busy-times/google/google-client.ts'
import {
  accountNameOf,
  type GoogleCalendar,
  listGoogleCalendars,
} from '../../domain/busy-times/google/list-google-calendars.ts'
import { LONGEST_NAME } from '../../domain/busy-times/source-schema.ts'
import { SECOND } from '../../infra/time/time-units.ts'
import { html } from '../../infra/util/html-template.ts'
import { randomBytes } from '../../infra/util/random-bytes.ts'
import { openSealed } from '../../protocol/open-sealed-content.ts'
import { forbidden } from '../pages/error-pages.ts'
import { chooser, hidden } from '../pages/form-inputs.ts'
import { isForeign, queryOf } from '../pages/page-route-setup.ts'
import { type DeskDependencies, type DeskRequest, isAllowed, missingRolePage } from './call-operation-as-staff.ts'
import { CALENDARS_PATH, connectedCalendarsPage } from './connected-calendars-page.ts'
import type { Answer, DeskView } from './desk-page.ts'

/** How long a person may take at Google, and then to choose the calendars. */
const GRANT_SECONDS = 1_800
const MAX_CODE_CHARACTERS = 2_000
const BYTES = { state: 16, verifier: 32 }

/** A state is valid only in one session of one staff member, and as long as an owner does not change the app. */
const scopeOf = ({ revision }: StoredCalendarApp, { session }: SignedInStaff) =>
  `google calendar ${revision} ${session}`

/** The secret of PKCE (RFC 7636). The server derives it from the state, so that it need not store it. */
const verifierOf = (state: string, { session }: SignedInStaff, { tag }: Pick<DeskDependencies, 'tag'>): string =>
  tag('google calendar verifier', `${state} ${session}`, BYTES.verifier)

/** Sends the browser to the page of Google on which a person grants access to their calendars. */
export async function startGoogleGrant(deskRequest: DeskRequest, dependencies: DeskDependencies): Promise<Answer> {
  const { who, request } = deskRequest
  const { db, config, cursors, clock } = dependencies
  if (isForeign(request, config)) return forbidden(request.localizer)
  if (!isAllowed(who, connectCalendar)) return missingRolePage(connectCalendar, deskRequest)
  const app = await storedCalendarApp(db, 'google')
  if (!app) return { to: CALENDARS_PATH }
  const random = randomBytes(BYTES.state).toString('base64url')
  const state = cursors.seal(scopeOf(app, who), [random], clock())
  return { to: authorizationUrl(app, { state, verifier: verifierOf(state, who, dependencies) }, config) }
}

/** Continues after Google sent the browser back: shows the calendars of the account, so that the person chooses. */
export async function afterGoogleGrant(deskRequest: DeskRequest, dependencies: DeskDependencies): Promise<Answer> {
  const { who, request } = deskRequest
  const { db, config, clock, cursors, calendarKey } = dependencies
  if (!isAllowed(who, connectCalendar)) return missingRolePage(connectCalendar, deskRequest)
  const query = queryOf(request)
  const [app, state, code] = [await storedCalendarApp(db, 'google'), query.get('state') ?? '', query.get('code') ?? '']
  const isOurs = app && openSealed(() => cursors.open(scopeOf(app, who), state, clock(), GRANT_SECONDS)) !== undefined
  const isFirst = isOurs && (await recordFirstUse(db, `google calendar ${state}`, GRANT_SECONDS, clock()))
  if (!isFirst || code === '' || code.length > MAX_CODE_CHARACTERS)
    return failed(new UnreadCalendarError('access_revoked'), deskRequest, dependencies)
  try {
    const verifier = verifierOf(state, who, dependencies)
    const { access, refresh } = await tokensForCode(code, verifier, await googleApp(db, calendarKey), config)
    const calendars = await listGoogleCalendars(googleClient(access, config))
    return await choosePage(sealedGrant(refresh, who, dependencies), calendars, deskRequest, dependencies)
  } catch (error) {
    if (!(error instanceof UnreadCalendarError)) throw error
    return failed(error, deskRequest, dependencies)
  }
}

/** Encrypts the refresh token for the form, so that the browser keeps it until the person has chosen the calendars. */
const sealedGrant = (token: string, { session }: SignedInStaff, { calendarKey, clock }: DeskDependencies): string =>
  seal(calendarKey, JSON.stringify({ token, session, at: clock().getTime() })).toString('base64url')

/** Returns the refresh token of a form. Returns undefined if the form is too old, or belongs to another session. */
export function tokenOfGrant(
  grant: string,
  { session }: SignedInStaff,
  { calendarKey, clock }: DeskDependencies,
): string | undefined {
  const text = unsealIfPossible(calendarKey, Buffer.from(grant, 'base64url'))
  if (text === undefined) return undefined
  const stored: { token: string; session: string; at: number } = JSON.parse(text)
  const isValid = stored.session === session && clock().getTime() - stored.at <= GRANT_SECONDS * SECOND
  return isValid ? stored.token : undefined
}

const failed = (
  { problem }: UnreadCalendarError,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<DeskView> => {
  const { say } = deskRequest.request.localizer
  const text =
    problem === 'access_revoked' ? 'desk.calendars.google.denied' : (`desk.calendars.problem.${problem}` as const)
  const refused = { form: new URLSearchParams(), problem: say(text) }
  return connectedCalendarsPage(new URLSearchParams(), deskRequest, dependencies, refused)
}

async function choosePage(
  grant: string,
  calendars: readonly GoogleCalendar[],
  { who, request }: DeskRequest,
  { business }: DeskDependencies,
): Promise<DeskView> {
  const { say } = request.localizer
  const { resources = [] } = (await business.get()) ?? {}
  const tick = ({ id, name }: GoogleCalendar, index: number) =>
    html`<span class="check"><input type="checkbox" id="calendar-${index}" name="calendar" value="${id}"><label for="calendar-${index}"><bdi>${name}</bdi></label></span>
`
  return {
    status: 200,
    title: say('desk.calendars.google'),
    who,
    place: 'calendars',
    body: html`<p><bdi>${accountNameOf(calendars)}</bdi></p>
<form method="post" action="${CALENDARS_PATH}">${hidden({ grant })}
<div class="two">${chooser({ name: 'resource', label: say('desk.blocks.who'), options: resources.map(({ id, name }) => [id, name] as const), chosen: [] })}
<div><label for="name">${say('setup.name')} <span class="hint">${say('book.optional')}</span></label>
<input id="name" name="name" maxlength="${LONGEST_NAME}" autocomplete="off"></div></div>
<fieldset class="ticks"><legend>${say('desk.calendars.only')} <span class="hint">${say('book.optional')}</span></legend>
<p class="hint">${say('desk.calendars.google.only.hint')}</p>
<div class="ticks-of">${calendars.map(tick)}</div></fieldset>
<button name="do" value="google">${say('desk.calendars.connect')}</button></form>
<p class="below-form"><a class="way" href="${CALENDARS_PATH}">${say('desk.calendars')}</a></p>`,
  }
}
