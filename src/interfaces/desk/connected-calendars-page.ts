import { storedCalendarApps } from '../../core/business/calendar-app-queries.ts'
import { zoneOf } from '../../core/business/definition-facts.ts'
import type { Problem } from '../../domain/busy-times/calendar-problems.ts'
import { connectCalendar } from '../../domain/busy-times/connect-calendar.ts'
import { disconnectCalendar } from '../../domain/busy-times/disconnect-calendar.ts'
import { listConnectedCalendars } from '../../domain/busy-times/list-connected-calendars.ts'
import { refreshConnectedCalendar } from '../../domain/busy-times/refresh-connected-calendar.ts'
import { LONGEST_ADDRESS, LONGEST_NAME, LONGEST_PASSWORD, LONGEST_USER } from '../../domain/busy-times/source-schema.ts'
import { setCalendarApp } from '../../domain/desk/setup/set-calendar-app.ts'
import { CALENDAR_PROVIDERS, grantPath } from '../../infra/config/calendar-providers.ts'
import { shortMomentText } from '../../infra/i18n/format-times.ts'
import type { Localizer } from '../../infra/i18n/localizer.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import type { ListConnectedCalendars } from '../../protocol/types.generated.ts'
import { faultOfField, refusedFormNote } from '../pages/form-error-summary.ts'
import { chooser, hidden } from '../pages/form-inputs.ts'
import {
  callAsStaff,
  type DeskDependencies,
  type DeskRequest,
  isAllowed,
  missingRolePage,
} from './call-operation-as-staff.ts'
import type { DeskView } from './desk-page.ts'
import { calendarAppPath } from './setup/calendar-app-page.ts'

export const CALENDARS_PATH = '/desk/calendars'

export type ConnectedCalendar = ListConnectedCalendars['output']['sources'][number]

/** A refused form. `addressFault` is the error of the address, and `problem` is another reason. */
export interface RefusedConnection {
  form: URLSearchParams
  addressFault?: string
  problem?: string
}

/** The page about calendars at other providers whose events block time here. */
export async function connectedCalendarsPage(
  query: URLSearchParams,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
  refused?: RefusedConnection,
): Promise<DeskView> {
  const { who, request } = deskRequest
  const { say } = request.localizer
  if (!isAllowed(who, listConnectedCalendars)) return missingRolePage(listConnectedCalendars, deskRequest)
  const answer = await callAsStaff(listConnectedCalendars, {}, deskRequest, dependencies)
  const sources = answer.refusal ? [] : answer.result.sources
  const { resources = [] } = (await dependencies.business.get()) ?? {}
  const zone = await zoneOf(dependencies)
  const nameOf = (id: string) => resources.find((one) => one.id === id)?.name ?? id
  const whose = refused?.form.get('resource') ?? query.get('with') ?? undefined
  const form =
    isAllowed(who, connectCalendar) &&
    resources.length > 0 &&
    connectForm(
      resources.map(({ id, name }) => [id, name] as const),
      { whose, refused },
      deskRequest,
    )
  const apps = form ? await storedCalendarApps(dependencies.db) : []
  const missing = CALENDAR_PROVIDERS.filter((provider) => !apps.some((app) => app.provider === provider))
  return {
    status: refused ? 409 : 200,
    title: say('desk.calendars'),
    who,
    place: 'calendars',
    body: html`<p>${say('desk.calendars.text')}</p>
${apps.length > 0 && html`<p class="acts">${apps.map(({ provider }) => html`<a class="button" href="${grantPath(provider)}">${say(`desk.calendars.${provider}`)}</a> `)}</p>`}
${form}
${form && isAllowed(who, setCalendarApp) && missing.length > 0 && html`<p class="below-form acts">${missing.map((provider) => html`<a href="${calendarAppPath(provider)}">${say(`desk.calendars.${provider}.set_up`)}</a> `)}</p>`}
${sources.length === 0 ? html`<p class="note">${say('desk.calendars.none')}</p>` : html`<ul class="story">${sources.map((source) => line(source, nameOf(source.resource_id), zone, deskRequest))}</ul>`}`,
  }
}

function connectForm(
  resources: readonly (readonly [id: string, name: string])[],
  { whose, refused }: { whose: string | undefined; refused: RefusedConnection | undefined },
  { request }: DeskRequest,
): Content {
  const { localizer } = request
  const { say } = localizer
  const fault = faultOfField('address', refused?.addressFault)
  const faultyField = refused?.addressFault !== undefined && {
    id: 'address',
    label: say('desk.calendars.address'),
    fault: refused.addressFault,
  }
  const hints = refused?.addressFault === undefined ? html` aria-describedby="address-hint"` : fault.mark
  return html`${refused && refusedFormNote(faultyField || undefined, refused.problem ?? '', localizer)}
<form method="post" action="${CALENDARS_PATH}">
<div class="two">${chooser({ name: 'resource', label: say('desk.blocks.who'), options: resources, chosen: [whose] })}
<div><label for="name">${say('setup.name')} <span class="hint">${say('book.optional')}</span></label>
<input id="name" name="name" maxlength="${LONGEST_NAME}" autocomplete="off" value="${refused?.form.get('name') ?? ''}"></div></div>
<div><label for="address">${say('desk.calendars.address')}</label>${fault.error}
<input id="address" name="address" maxlength="${LONGEST_ADDRESS}" required autocomplete="off" spellcheck="false" dir="ltr" placeholder="https://calendar.google.com/calendar/ical/…/basic.ics"${hints}>
<p class="hint" id="address-hint">${say('desk.calendars.address.hint')}</p></div>
${accountFields(refused?.form, localizer)}
<button name="do" value="connect">${say('desk.calendars.connect')}</button></form>`
}

/** The fields for an account at a CalDAV server. The page never shows a password again. */
function accountFields(sent: URLSearchParams | undefined, { say }: Localizer): Content {
  const field = (name: string) => sent?.get(name) ?? ''
  return html`<details${field('user') !== '' && html` open`}><summary>${say('desk.calendars.caldav')}</summary>
<p class="hint">${say('desk.calendars.caldav.hint')}</p>
<div class="two"><div><label for="user">${say('setup.mail_server.username')}</label>
<input id="user" name="user" maxlength="${LONGEST_USER}" autocomplete="off" spellcheck="false" dir="ltr" value="${field('user')}"></div>
<div><label for="password">${say('account.password')}</label>
<input id="password" name="password" type="password" maxlength="${LONGEST_PASSWORD}" autocomplete="off"></div></div>
<div><label for="calendars">${say('desk.calendars.only')} <span class="hint">${say('book.optional')}</span></label>
<input id="calendars" name="calendars" maxlength="1000" autocomplete="off" aria-describedby="calendars-hint" value="${field('calendars')}">
<p class="hint" id="calendars-hint">${say('desk.calendars.only.hint')}</p></div>
<div><label for="write">${say('desk.calendars.write')} <span class="hint">${say('book.optional')}</span></label>
<input id="write" name="write" maxlength="${LONGEST_NAME}" autocomplete="off" aria-describedby="write-hint" value="${field('write')}">
<p class="hint" id="write-hint">${say('desk.calendars.write.hint')}</p></div>
<label class="tick"><input type="checkbox" name="names"${sent?.has('names') === true && html` checked`}> ${say('desk.calendars.write.names')}</label></details>`
}

function line(source: ConnectedCalendar, owner: string, zone: string, { who, request }: DeskRequest): Content {
  const { localizer } = request
  const { say } = localizer
  const { id, name, host, state, busy_soon, unread_events, read_at } = source
  const sourceField = hidden({ source: id })
  return html`<li id="${id}"><strong>${owner}</strong> · <bdi>${name}</bdi>${name !== host && html` <span class="soft"><bdi>${host}</bdi></span>`}<br>
${state === 'new' ? html`<span class="soft">${say('desk.calendars.new')}</span>` : read_at !== undefined && say('desk.calendars.busy', { count: busy_soon })}
${stateText(source, zone, localizer)}
${writingText(source, zone, localizer)}
${unread_events !== undefined && html`<p class="note">${say('desk.calendars.unread', { count: unread_events })}</p>`}
<div class="acts">${isAllowed(who, refreshConnectedCalendar) && html`<form method="post" action="${CALENDARS_PATH}">${sourceField}<button class="plain" name="do" value="refresh">${say('desk.calendars.refresh')}</button></form>`}</div>
${isAllowed(who, disconnectCalendar) && html`<details><summary>${say('desk.calendars.disconnect')}</summary><form method="post" action="${CALENDARS_PATH}">${sourceField}<p>${say('desk.calendars.disconnect.text')}</p><button class="danger" name="do" value="disconnect">${say('desk.calendars.disconnect')}</button></form></details>`}</li>
`
}

/** Into which calendar of the account bookings are written, and whether the server has written all of them. */
function writingText({ writes }: ConnectedCalendar, zone: string, localizer: Localizer): Content {
  if (!writes) return undefined
  const { say } = localizer
  const { calendar, waiting, written_at, failing_since, problem } = writes
  const at = (time: string) => shortMomentText(localizer, new Date(time), zone)
  if (problem !== undefined && failing_since !== undefined)
    return html`<div class="note wrong"><p>${say('desk.calendars.writes.failing', { calendar, time: at(failing_since) })}</p>
<p>${say(`desk.calendars.problem.${problem}`)}</p></div>`
  const state =
    written_at === undefined || waiting > 0
      ? say('desk.calendars.writes.waiting', { calendar, count: waiting })
      : say('desk.calendars.writes', { calendar, time: at(written_at) })
  return html`<br><span class="soft">${state}</span>`
}

/**
 * When the calendar was read, and when the server reads it again. For a calendar that fails: since when, and what to
 * do.
 */
function stateText(
  { kind, read_at, next_read_at, failing_since, problem }: ConnectedCalendar,
  zone: string,
  localizer: DeskRequest['request']['localizer'],
): Content {
  const { say } = localizer
  const at = (time: string) => shortMomentText(localizer, new Date(time), zone)
  if (problem !== undefined && failing_since !== undefined)
    return html`<div class="note wrong"><p>${say(read_at === undefined ? 'desk.calendars.never_read' : 'desk.calendars.failing', { time: at(failing_since), next: at(next_read_at) })}</p>
<p>${problemText(problem, kind, localizer)}</p></div>`
  return (
    read_at !== undefined &&
    html`<br><span class="soft">${say('desk.calendars.read', { time: at(read_at), next: at(next_read_at) })}</span>`
  )
}

/** What the staff can do about a calendar that cannot be read. */
export const problemText = (problem: Problem, kind: ConnectedCalendar['kind'], { say }: Localizer): string =>
  kind === 'microsoft' && (problem === 'access_revoked' || problem === 'app_refused')
    ? say(`desk.calendars.problem.${problem}.microsoft`)
    : say(`desk.calendars.problem.${problem}`)
