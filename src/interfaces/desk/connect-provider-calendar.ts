import { recordFirstUse } from '../../core/authentication/refuse-replayed-proofs.ts'
import type { SignedInStaff } from '../../core/authentication/staff-sessions.ts'
import { type StoredCalendarApp, storedCalendarApp } from '../../core/business/calendar-app-queries.ts'
import { seal, unsealIfPossible } from '../../core/keys/encrypt-secrets.ts'
import { type Problem, UnreadCalendarError } from '../../domain/busy-times/calendar-problems.ts'
import { connectCalendar } from '../../domain/busy-times/connect-calendar.ts'
import { authorizationUrl, providerApp, tokensForCode } from '../../domain/busy-times/oauth/provider-access.ts'
import type { ProviderCalendar } from '../../domain/busy-times/oauth/provider-account.ts'
import type { AccountCalendars } from '../../domain/busy-times/oauth/provider-reader.ts'
import { providerReaders } from '../../domain/busy-times/oauth/provider-readers.ts'
import { LONGEST_NAME } from '../../domain/busy-times/source-schema.ts'
import type { CalendarProvider } from '../../infra/config/calendar-providers.ts'
import { SECOND } from '../../infra/time/time-units.ts'
import { html } from '../../infra/util/html-template.ts'
import { randomBytes } from '../../infra/util/random-bytes.ts'
import { openSealed } from '../../protocol/open-sealed-content.ts'
import { forbidden } from '../pages/error-pages.ts'
import { chooser, hidden } from '../pages/form-inputs.ts'
import { isForeign, queryOf } from '../pages/page-route-setup.ts'
import { type DeskDependencies, type DeskRequest, isAllowed, missingRolePage } from './call-operation-as-staff.ts'
import { CALENDARS_PATH, connectedCalendarsPage, problemText } from './connected-calendars-page.ts'
import type { Answer, DeskView } from './desk-page.ts'

/** How long a person may take at Google, and then to choose the calendars. */
const GRANT_SECONDS = 1_800
const MAX_CODE_CHARACTERS = 2_000
const BYTES = { state: 16, verifier: 32 }

/** A state is valid only in one session of one staff member. It ends when an owner changes the app. */
const scopeOf = ({ provider, revision }: StoredCalendarApp, { session }: SignedInStaff) =>
  `calendars at ${provider} ${revision} ${session}`

/** The secret of PKCE (RFC 7636). The server derives it from the state, so that it need not store it. */
const verifierOf = (state: string, { session }: SignedInStaff, { tag }: Pick<DeskDependencies, 'tag'>): string =>
  tag('calendar grant verifier', `${state} ${session}`, BYTES.verifier)

/** Sends the browser to the page of the provider on which a person grants access to their calendars. */
export async function startGrant(
  provider: CalendarProvider,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<Answer> {
  const { who, request } = deskRequest
  const { db, config, cursors, clock } = dependencies
  if (isForeign(request, config)) return forbidden(request.localizer)
  if (!isAllowed(who, connectCalendar)) return missingRolePage(connectCalendar, deskRequest)
  const app = await storedCalendarApp(db, provider)
  if (!app) return { to: CALENDARS_PATH }
  const random = randomBytes(BYTES.state).toString('base64url')
  const state = cursors.seal(scopeOf(app, who), [random], clock())
  return { to: authorizationUrl(app, { state, verifier: verifierOf(state, who, dependencies) }, config) }
}

/** Continues after the provider sent the browser back: shows the calendars of the account, so that the person chooses. */
export async function afterGrant(
  provider: CalendarProvider,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<Answer> {
  const { who, request } = deskRequest
  const { db, config, clock, cursors, calendarKey } = dependencies
  if (!isAllowed(who, connectCalendar)) return missingRolePage(connectCalendar, deskRequest)
  const query = queryOf(request)
  const [app, state, code] = [await storedCalendarApp(db, provider), query.get('state') ?? '', query.get('code') ?? '']
  const isOurs = app && openSealed(() => cursors.open(scopeOf(app, who), state, clock(), GRANT_SECONDS)) !== undefined
  const isFirst = isOurs && (await recordFirstUse(db, `calendar grant ${state}`, GRANT_SECONDS, clock()))
  if (!isFirst || code === '' || code.length > MAX_CODE_CHARACTERS)
    return failedGrantPage(provider, 'access_revoked', deskRequest, dependencies)
  try {
    const verifier = verifierOf(state, who, dependencies)
    const tokens = await tokensForCode(code, verifier, await providerApp(db, provider, calendarKey), config)
    const listed = await providerReaders[provider](tokens.access, config).listCalendars()
    const grant = sealedGrant({ provider, token: tokens.refresh }, who, dependencies)
    return await choosePage({ ...listed, provider, grant }, deskRequest, dependencies)
  } catch (error) {
    if (!(error instanceof UnreadCalendarError)) throw error
    return failedGrantPage(provider, error.problem, deskRequest, dependencies)
  }
}

interface Grant {
  provider: CalendarProvider
  token: string
}

/** Encrypts the refresh token for the form, so that the browser keeps it until the person has chosen the calendars. */
const sealedGrant = (grant: Grant, { session }: SignedInStaff, { calendarKey, clock }: DeskDependencies): string =>
  seal(calendarKey, JSON.stringify({ ...grant, session, at: clock().getTime() })).toString('base64url')

/** Opens the grant of a form. Returns undefined if the form is too old, or belongs to another session. */
export function openGrant(
  sealed: string,
  { session }: SignedInStaff,
  { calendarKey, clock }: DeskDependencies,
): Grant | undefined {
  const text = unsealIfPossible(calendarKey, Buffer.from(sealed, 'base64url'))
  if (text === undefined) return undefined
  const grant: Grant & { session: string; at: number } = JSON.parse(text)
  const isValid = grant.session === session && clock().getTime() - grant.at <= GRANT_SECONDS * SECOND
  return isValid ? grant : undefined
}

/** The page of the calendars with the reason why a provider gave no access. */
export function failedGrantPage(
  provider: CalendarProvider,
  problem: Problem,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<DeskView> {
  const { localizer } = deskRequest.request
  const text =
    problem === 'access_revoked'
      ? localizer.say(`desk.calendars.${provider}.denied`)
      : problemText(problem, provider, localizer)
  return connectedCalendarsPage(new URLSearchParams(), deskRequest, dependencies, {
    form: new URLSearchParams(),
    problem: text,
  })
}

interface Choice extends AccountCalendars {
  provider: CalendarProvider
  grant: string
}

async function choosePage(
  { provider, grant, calendars, account }: Choice,
  { who, request }: DeskRequest,
  { business }: DeskDependencies,
): Promise<DeskView> {
  const { say } = request.localizer
  const { resources = [] } = (await business.get()) ?? {}
  const tick = ({ id, name }: ProviderCalendar, index: number) =>
    html`<span class="check"><input type="checkbox" id="calendar-${index}" name="calendar" value="${id}"><label for="calendar-${index}"><bdi>${name}</bdi></label></span>
`
  return {
    status: 200,
    title: say(`desk.calendars.${provider}`),
    who,
    place: 'calendars',
    body: html`<p><bdi>${account}</bdi></p>
<form method="post" action="${CALENDARS_PATH}">${hidden({ grant })}
<div class="two">${chooser({ name: 'resource', label: say('desk.blocks.who'), options: resources.map(({ id, name }) => [id, name] as const), chosen: [] })}
<div><label for="name">${say('setup.name')} <span class="hint">${say('book.optional')}</span></label>
<input id="name" name="name" maxlength="${LONGEST_NAME}" autocomplete="off"></div></div>
<fieldset class="ticks"><legend>${say('desk.calendars.only')} <span class="hint">${say('book.optional')}</span></legend>
<p class="hint">${say('desk.calendars.only.ticks')}</p>
<div class="ticks-of">${calendars.map(tick)}</div></fieldset>
<button name="do" value="account">${say('desk.calendars.connect')}</button></form>
<p class="below-form"><a class="way" href="${CALENDARS_PATH}">${say('desk.calendars')}</a></p>`,
  }
}
