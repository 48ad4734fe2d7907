import { zoneOf } from '../../core/business/definition-facts.ts'
import { listConnectedCalendars } from '../../domain/busy-times/list-connected-calendars.ts'
import { readStaff } from '../../domain/desk/staff/list-staff.ts'
import { mayManage } from '../../domain/desk/staff/manage-staff-members.ts'
import { INVITATION_DAYS } from '../../domain/desk/staff/staff-notification.ts'
import { LONGEST_NAME } from '../../domain/desk/staff/staff-schema.ts'
import type { Localizer } from '../../infra/i18n/localizer.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import { type Role, roles } from '../../protocol/caller-types.ts'
import type { InviteStaff, ListStaff } from '../../protocol/types.generated.ts'
import { qrCode } from '../booking-pages/qr-code.ts'
import { type FaultyField, faultOfField, refusedFormNote } from '../pages/form-error-summary.ts'
import { chooser, hidden } from '../pages/form-inputs.ts'
import {
  callAsStaff,
  type DeskDependencies,
  type DeskRequest,
  isAllowed,
  missingRolePage,
} from './call-operation-as-staff.ts'
import type { DeskView } from './desk-page.ts'

const LABELS = { name: 'setup.name', email: 'my.email' } as const

type Member = ListStaff['output']['staff'][number]

/**
 * The result of an action in the staff list: a new desk link that the page shows once, or an error with the submitted
 * form.
 */
export type StaffActionResult = { invitation: InviteStaff['output'] } | RefusedForm

/** A refused form. `field` is the invalid field, and `id` is the staff member whom the form changes. */
interface RefusedForm {
  problem: string
  field: 'name' | 'email' | undefined
  form: URLSearchParams
  id: string | undefined
  invitation?: never
}

export async function staffPage(
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
  result?: StaffActionResult,
): Promise<DeskView> {
  const { who, request } = deskRequest
  const { localizer } = request
  const { say } = localizer
  if (!isAllowed(who, readStaff)) return missingRolePage(readStaff, deskRequest)
  const answer = await callAsStaff(readStaff, {}, deskRequest, dependencies)
  const staff = answer.refusal ? [] : answer.result.staff
  const dates = localizer.dates(await zoneOf(dependencies), { dateStyle: 'medium' })
  const dateText = (instant: string) => dates.format(new Date(instant))
  const refused = result?.invitation ? undefined : result
  const toInvite = refused && refused.id === undefined ? refused.form : undefined
  const line = (member: Member) => {
    const { id, name, role, email, created_at, invited_at } = member
    const details = [
      email,
      say('desk.people.since', { date: dateText(created_at) }),
      invited_at && say('desk.people.invited', { time: dateText(invited_at) }),
    ]
    return html`<li><strong>${name}</strong>${id === who.id && ` (${say('desk.people.you')})`} <span class="tag">${say(`desk.role.${role}`)}</span><br>
<span class="soft">${details.filter(Boolean).join(' · ')}</span>
${mayManage(who.role, role) && memberForms(member, refused?.id === id ? refused : undefined, deskRequest)}</li>
`
  }
  return {
    status: refused ? 409 : 200,
    title: say('desk.people'),
    who,
    place: 'people',
    body: html`${refused && refusedFormNote(faultyFieldOf(refused, say), refused.problem, localizer)}${result?.invitation && linkNote(result.invitation, deskRequest)}
<details${(toInvite || staff.length === 1) && !result?.invitation && html` open`}><summary>${say('desk.people.invite')}</summary>
<form method="post">${fields('new', toInvite && refused, { role: 'staff' }, deskRequest)}<button name="do" value="invite">${say('desk.people.invite.do')}</button></form></details>
<ul class="story">${staff.toSorted((one, other) => roles.indexOf(one.role) - roles.indexOf(other.role)).map(line)}</ul>
${isAllowed(who, listConnectedCalendars) && html`<p><a class="way" href="/desk/calendars">${say('desk.calendars')}</a></p>`}`,
  }
}

const faultyFieldOf = ({ problem, field, id = 'new' }: RefusedForm, say: Localizer['say']): FaultyField | undefined =>
  field && { id: `${field}-${id}`, label: say(LABELS[field]), fault: problem }

/**
 * A note with a new desk link (a link that signs a staff member in). The note shows the link as a text and as a QR
 * code. The page shows this note only once.
 */
const linkNote = (
  { staff: { name, email }, url, mailed }: InviteStaff['output'],
  { request }: DeskRequest,
): Content => {
  const { say } = request.localizer
  return html`<div class="note" role="status" data-draft><p><strong>${say('desk.people.link.for', { name })}</strong></p>
<p>${say('desk.people.link.text', { days: INVITATION_DAYS })}${mailed && email !== undefined && ` ${say('desk.people.mailed', { email })}`}</p>
${qrCode(url, say('desk.people.code'))}<p dir="ltr">${url}</p>
<button type="button" class="plain" data-needed data-copy="${url}" data-done="${say('booking.payment.copied')}">${say('booking.payment.copy')}</button></div>`
}

/**
 * The forms that change a staff member, remove a staff member, or create a desk link (a link that signs a staff member
 * in). The caller must first check with `mayManage` whether the user may do this.
 */
function memberForms(
  { id, name, role, email }: Member,
  refused: RefusedForm | undefined,
  deskRequest: DeskRequest,
): Content {
  const { say } = deskRequest.request.localizer
  const staffField = hidden({ staff: id })
  return html`<details${refused && html` open`}><summary>${say('desk.people.change')}</summary>
<form method="post">${staffField}${fields(id, refused, { name, role, ...(email !== undefined && { email }) }, deskRequest)}<button name="do" value="change">${say('desk.save')}</button></form>
<form method="post">${staffField}<button class="plain" name="do" value="link">${say('desk.people.link')}</button></form>
<details><summary>${say('desk.people.end')}</summary><form method="post">${staffField}<p>${say('desk.people.end.text', { name })}</p><button class="danger" name="do" value="remove">${say('desk.people.end')}</button></form></details></details>`
}

/**
 * The form fields for the name, email address and role of a staff member. If the server refuses the form, the fields
 * show the submitted values again.
 */
function fields(
  id: string,
  refused: RefusedForm | undefined,
  member: { name?: string; email?: string; role: Role },
  { who, request }: DeskRequest,
): Content {
  const { say } = request.localizer
  const value = (name: 'name' | 'email') => refused?.form.get(name) ?? member[name] ?? ''
  const fault = (name: 'name' | 'email') =>
    faultOfField(`${name}-${id}`, refused?.field === name ? refused.problem : undefined)
  const offered = roles
    .filter((role) => mayManage(who.role, role))
    .map((role) => [role, `${say(`desk.role.${role}`)}: ${say(`desk.role.${role}.may`)}`] as const)
  return html`<div class="two"><div><label for="name-${id}">${say(LABELS.name)}</label>${fault('name').error}<input id="name-${id}" name="name" maxlength="${LONGEST_NAME}" autocomplete="off" value="${value('name')}" required${fault('name').mark}></div>
<div><label for="email-${id}">${say(LABELS.email)} <span class="hint">${say('book.optional')}</span></label>${fault('email').error}<input id="email-${id}" name="email" type="email" maxlength="254" autocomplete="off" value="${value('email')}"${fault('email').mark}></div></div>
${chooser({ id: `role-${id}`, name: 'role', label: say('desk.people.role'), options: offered, chosen: [refused?.form.get('role') ?? member.role] })}`
}
