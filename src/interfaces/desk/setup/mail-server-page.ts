import { getMailServer } from '../../../domain/desk/setup/get-mail-server.ts'
import { LONGEST_HOST } from '../../../domain/desk/setup/mail-server-schema.ts'
import { readStaff } from '../../../domain/desk/staff/list-staff.ts'
import { type Content, html } from '../../../infra/util/html-template.ts'
import type { GetMailServer } from '../../../protocol/types.generated.ts'
import { faultOfField } from '../../pages/form-error-summary.ts'
import { chooser } from '../../pages/form-inputs.ts'
import { callAsStaff, type DeskDependencies, type DeskRequest } from '../call-operation-as-staff.ts'
import type { DeskView } from '../desk-page.ts'
import { problemsNote, type RefusedSettings, testNote } from './tested-settings.ts'

export const MAIL_SERVER_SECTION = 'mail-server'
export const MAIL_SERVER_PATH = `/desk/setup/${MAIL_SERVER_SECTION}`

const SECURITIES = ['starttls', 'tls'] as const

/** The fields of the form for the mail server, in their order on the page. */
export const MAIL_SERVER_FIELDS = ['host', 'port', 'security', 'username', 'password', 'sender'] as const
export type MailServerField = (typeof MAIL_SERVER_FIELDS)[number]

/** The field `to` is the recipient of the test mail. */
export type RefusedMailServer = RefusedSettings<MailServerField | 'to'>

type State = GetMailServer['output']

/**
 * The page on which an owner enters the mail server of the business, and sends a test mail. The page never shows the
 * stored password.
 */
export async function mailServerPage(
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
  refused?: RefusedMailServer,
): Promise<DeskView> {
  const { who, request } = deskRequest
  const { say } = request.localizer
  const answer = await callAsStaff(getMailServer, {}, deskRequest, dependencies)
  const state: State = answer.refusal ? { source: 'none' } : answer.result
  return {
    status: refused ? 409 : 200,
    title: say('setup.mail_server'),
    who,
    place: 'setup',
    body: html`${refused && problemsNote(refused, fieldLabel, request.localizer)}
${state.source === 'operator' ? html`<p class="note">${say('setup.mail_server.operator')}</p>` : settingsForm(state, refused, deskRequest)}
${state.source !== 'none' && testForm(state, { refused, recipient: await ownEmail(deskRequest, dependencies) }, deskRequest)}
${state.source === 'desk' && html`<details><summary>${say('setup.mail_server.remove')}</summary><form method="post" action="${MAIL_SERVER_PATH}"><p>${say('setup.mail_server.remove.text')}</p><button class="danger" name="do" value="remove">${say('setup.mail_server.remove')}</button></form></details>`}
<p><a class="way" href="/desk/setup">${say('desk.setup')}</a></p>`,
  }
}

/**
 * Returns the email address of the signed-in staff member. Returns an empty text if the server knows no email address.
 */
async function ownEmail(deskRequest: DeskRequest, dependencies: DeskDependencies): Promise<string> {
  const answer = await callAsStaff(readStaff, {}, deskRequest, dependencies)
  const staff = answer.refusal ? [] : answer.result.staff
  return staff.find(({ id }) => id === deskRequest.who.id)?.email ?? ''
}

function fieldLabel(field: MailServerField | 'to', { say }: DeskRequest['request']['localizer']): string {
  if (field === 'to') return say('my.email')
  return field === 'password' ? say('account.password') : say(`setup.mail_server.${field}`)
}

function settingsForm(state: State, refused: RefusedMailServer | undefined, { request }: DeskRequest): Content {
  const { localizer } = request
  const { say } = localizer
  const { mail_server: stored } = state
  const value = (name: Exclude<MailServerField, 'password'>) => refused?.form.get(name) ?? stored?.[name] ?? ''
  const fault = (name: MailServerField) => faultOfField(name, refused?.faults.get(name))
  const field = (name: Exclude<MailServerField, 'password' | 'security'>, attributes: Content, hint?: Content) =>
    html`<div><label for="${name}">${fieldLabel(name, localizer)}${hint !== undefined && html` <span class="hint">${hint}</span>`}</label>${fault(name).error}
<input id="${name}" name="${name}" value="${value(name)}" autocomplete="off" spellcheck="false" dir="ltr"${attributes}${fault(name).mark}></div>
`
  return html`<p>${say('setup.mail_server.text')}</p>
<form method="post" action="${MAIL_SERVER_PATH}">
${field('host', html` required maxlength="${LONGEST_HOST}" placeholder="smtp.example.com"`)}
<div class="two">${chooser({
    name: 'security',
    label: say('setup.mail_server.security'),
    options: SECURITIES.map((one) => [one, say(`setup.mail_server.security.${one}`)]),
    chosen: [value('security').toString()],
  })}${field('port', html` required type="number" min="1" max="65535" placeholder="587"`)}</div>
<div class="two">${field('username', html` maxlength="500"`, say('book.optional'))}
<div><label for="password">${say('account.password')}</label>${fault('password').error}
<input id="password" name="password" type="password" maxlength="500" autocomplete="new-password" dir="ltr"${stored?.has_password && html` aria-describedby="password-stored"`}${fault('password').mark}>
${stored?.has_password && html`<p class="hint" id="password-stored">${say('setup.mail_server.password.stored')}</p>`}</div></div>
${field('sender', html` required maxlength="500" placeholder="Salon &lt;hello@example.com&gt;"`, say('setup.mail_server.sender.hint'))}
<button name="do" value="save">${say('desk.save')}</button></form>`
}

function testForm(
  { last_test: test }: State,
  { refused, recipient }: { refused: RefusedMailServer | undefined; recipient: string },
  { request }: DeskRequest,
): Content {
  const { say } = request.localizer
  const fault = faultOfField('to', refused?.faults.get('to'))
  return html`<h2>${say('setup.mail_server.test')}</h2>
${test && testNote(test, { sent: say('setup.mail_server.test.sent'), waiting: say('setup.mail_server.test.waiting'), failed: say('setup.mail_server.test.failed') })}
<form method="post" action="${MAIL_SERVER_PATH}"><label for="to">${say('my.email')}</label>${fault.error}
<input id="to" name="to" type="email" maxlength="254" autocomplete="email" required value="${refused?.form.get('to') ?? recipient}"${fault.mark}>
<button class="plain" name="do" value="test">${say('setup.mail_server.test')}</button></form>`
}
