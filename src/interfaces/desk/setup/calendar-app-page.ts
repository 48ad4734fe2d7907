import { storedCalendarApp } from '../../../core/business/calendar-app-queries.ts'
import { MAX_CLIENT_CHARACTERS } from '../../../domain/desk/setup/company-sign-in-schema.ts'
import { setCalendarApp } from '../../../domain/desk/setup/set-calendar-app.ts'
import { type CalendarProvider, returnUrl } from '../../../infra/config/calendar-providers.ts'
import type { Localizer } from '../../../infra/i18n/localizer.ts'
import { html } from '../../../infra/util/html-template.ts'
import type { SetCalendarApp } from '../../../protocol/types.generated.ts'
import { faultOfField } from '../../pages/form-error-summary.ts'
import { formOf } from '../../pages/page-route-setup.ts'
import { refusalText } from '../../pages/refusal-texts.ts'
import { callAsStaff, type DeskDependencies, type DeskRequest } from '../call-operation-as-staff.ts'
import type { Answer, DeskView } from '../desk-page.ts'
import { problemsNote, type RefusedSettings } from './tested-settings.ts'

/** The section of the settings for the app at a provider. */
export const calendarAppSection = (provider: CalendarProvider): string => `${provider}-calendar`
export const calendarAppPath = (provider: CalendarProvider): string => `/desk/setup/${calendarAppSection(provider)}`

/** The fields of the form that can be wrong, in their order on the page. */
const FIELDS = ['client_id', 'client_secret'] as const
type Field = (typeof FIELDS)[number]

/**
 * The page for the app of the business at a provider, with which staff connect their calendars. The page never shows the
 * stored secret.
 */
export async function calendarAppPage(
  provider: CalendarProvider,
  { who, request }: DeskRequest,
  { db, config }: DeskDependencies,
  refused?: RefusedSettings<Field>,
): Promise<DeskView> {
  const { localizer } = request
  const { say } = localizer
  const stored = await storedCalendarApp(db, provider)
  const fault = (name: Field) => faultOfField(name, refused?.faults.get(name))
  const [ofId, ofSecret] = [fault('client_id'), fault('client_secret')]
  return {
    status: refused ? 409 : 200,
    title: say(`setup.${provider}`),
    who,
    place: 'setup',
    body: html`${refused && problemsNote(refused, fieldLabel, localizer)}
<p>${say(`setup.${provider}.text`)} <a href="/docs/calendars#connect-${provider === 'google' ? 'google-calendar' : 'microsoft-365-and-outlook'}">${say('setup.company.guide')}</a></p>
<p>${say('setup.company.redirect')}<br><code dir="ltr">${returnUrl(provider, config.baseUrl)}</code></p>
<form method="post" action="${calendarAppPath(provider)}">
<div class="two"><div><label for="client_id">${fieldLabel('client_id', localizer)}</label>${ofId.error}
<input id="client_id" name="client_id" value="${refused?.form.get('client_id') ?? stored?.client_id ?? ''}" required dir="ltr" maxlength="${MAX_CLIENT_CHARACTERS}" autocomplete="off" spellcheck="false"${ofId.mark}></div>
<div><label for="client_secret">${fieldLabel('client_secret', localizer)}</label>${ofSecret.error}
<input id="client_secret" name="client_secret" type="password" maxlength="${MAX_CLIENT_CHARACTERS}" autocomplete="new-password" dir="ltr"${stored && html` aria-describedby="secret-stored"`}${ofSecret.mark}>
${stored && html`<p class="hint" id="secret-stored">${say('setup.texts.secret.stored')}</p>`}</div></div>
<button name="do" value="save">${say('desk.save')}</button></form>
${
  stored &&
  html`<p class="below-form"><a class="button plain" href="/desk/calendars">${say('desk.calendars')}</a></p>
<details class="below-form"><summary>${say(`setup.${provider}.remove`)}</summary><form method="post" action="${calendarAppPath(provider)}"><p>${say(`setup.${provider}.remove.text`)}</p><button class="danger" name="do" value="remove">${say(`setup.${provider}.remove`)}</button></form></details>`
}
<p class="below-form"><a class="way" href="/desk/setup">${say('desk.setup')}</a></p>`,
  }
}

const fieldLabel = (field: Field, { say }: Localizer): string => say(`setup.company.${field}`)

/** Runs the action of the pressed button. */
export async function changeCalendarApp(
  provider: CalendarProvider,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<Answer> {
  const { localizer } = deskRequest.request
  const form = formOf(deskRequest.request)
  const text = (name: Field) => form.get(name)?.trim() ?? ''
  const secret = text('client_secret')
  const inputs: Record<string, SetCalendarApp['input']> = {
    save: { provider, client_id: text('client_id'), ...(secret !== '' && { client_secret: secret }) },
    remove: { provider },
  }
  const input = inputs[form.get('do') ?? '']
  if (!input) return calendarAppPage(provider, deskRequest, dependencies)
  const answer = await callAsStaff(setCalendarApp, input, deskRequest, dependencies)
  if (!answer.refusal) return { to: `${calendarAppPath(provider)}?saved` }
  const { code, path } = answer.refusal
  const field = FIELDS.find((one) => path === `$.${one}`)
  const refused: RefusedSettings<Field> = field
    ? { form, faults: new Map([[field, localizer.say(`setup.company.fault.${field}`)]]) }
    : { form, faults: new Map(), problem: refusalText(code, localizer) }
  return calendarAppPage(provider, deskRequest, dependencies, refused)
}
