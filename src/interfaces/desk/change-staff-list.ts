import { changeStaff } from '../../domain/desk/staff/change-staff.ts'
import { inviteStaff } from '../../domain/desk/staff/invite-staff.ts'
import { readStaff } from '../../domain/desk/staff/list-staff.ts'
import { removeStaff } from '../../domain/desk/staff/remove-staff.ts'
import { linkStaff } from '../../domain/desk/staff/renew-desk-link.ts'
import { LONGEST_NAME } from '../../domain/desk/staff/staff-schema.ts'
import type { Localizer } from '../../infra/i18n/localizer.ts'
import { readEmail } from '../../infra/util/email-address.ts'
import { roles } from '../../protocol/caller-types.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { Message } from '../../protocol/types.generated.ts'
import { forbidden } from '../pages/error-pages.ts'
import { truncated } from '../pages/read-form-and-query.ts'
import { refusalText } from '../pages/refusal-texts.ts'
import {
  callAsStaff,
  type DeskDependencies,
  type DeskRequest,
  isAllowed,
  missingRolePage,
} from './call-operation-as-staff.ts'
import type { Answer } from './desk-page.ts'
import { staffPage } from './staff-page.ts'

/**
 * Runs the action of the pressed button in the staff list. A new desk link (a link that signs a staff member in) is
 * visible only in the response to the form that created the link. A second submission of the form creates no second
 * link.
 */
export async function changeStaffList(
  form: URLSearchParams,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<Answer> {
  const { localizer } = deskRequest.request
  if (!isAllowed(deskRequest.who, readStaff)) return missingRolePage(readStaff, deskRequest)
  const again = (problem: string, field?: 'name' | 'email') =>
    staffPage(deskRequest, dependencies, { problem, field, form, id: form.get('staff') ?? undefined })
  const makesLink = form.get('do') === 'invite' || form.get('do') === 'link'
  if (writtenEmail(form) !== '' && emailIn(form) === undefined) return again(localizer.say('my.fault.email'), 'email')
  try {
    const linkAnswer = makesLink ? await linkMade(form, deskRequest, dependencies) : undefined
    if (linkAnswer && !linkAnswer.refusal)
      return staffPage(deskRequest, dependencies, { invitation: linkAnswer.result })
    const answer = linkAnswer ?? (await changed(form, deskRequest, dependencies))
    if (!answer) return forbidden(localizer)
    if (!answer.refusal) return { to: '/desk/people' }
    return again(whyNot(answer.refusal, localizer), fieldOf(answer.refusal))
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    // The server refused the action because of the user's role: a manager can manage only staff with lower roles.
    // Therefore the page says that only an owner can take this action.
    if (error.code === 'authentication_required') return missingRolePage(readStaff, deskRequest, 'owner')
    if (error.code === 'not_found') return { to: '/desk/people' }
    throw error
  }
}

const writtenEmail = (form: URLSearchParams) => form.get('email')?.trim() ?? ''
const emailIn = (form: URLSearchParams) => readEmail(writtenEmail(form))
const idIn = (form: URLSearchParams) => form.get('staff') || '-'
const personIn = (form: URLSearchParams) => ({
  name: truncated(LONGEST_NAME, form.get('name')?.trim() ?? ''),
  role: roles.find((one) => one === form.get('role')) ?? 'viewer',
})

function linkMade(form: URLSearchParams, deskRequest: DeskRequest, dependencies: DeskDependencies) {
  if (form.get('do') === 'link') return callAsStaff(linkStaff, { staff_id: idIn(form) }, deskRequest, dependencies)
  const email = emailIn(form)
  return callAsStaff(
    inviteStaff,
    { ...personIn(form), ...(email !== undefined && { email }) },
    deskRequest,
    dependencies,
  )
}

async function changed(form: URLSearchParams, deskRequest: DeskRequest, dependencies: DeskDependencies) {
  const member = { staff_id: idIn(form) }
  switch (form.get('do')) {
    case 'change':
      return callAsStaff(
        changeStaff,
        { ...member, ...personIn(form), email: emailIn(form) ?? null },
        deskRequest,
        dependencies,
      )
    case 'remove':
      return callAsStaff(removeStaff, member, deskRequest, dependencies)
    default:
      return undefined
  }
}

const fieldOf = ({ path }: Message) => (path === '$.name' ? 'name' : path === '$.email' ? 'email' : undefined)

function whyNot({ code, path }: Message, localizer: Localizer): string {
  if (path === '$.name') return localizer.say('book.fault.missing')
  if (code === 'invalid_transition') return localizer.say('desk.people.last')
  return path === '$.email' ? localizer.say('desk.people.taken') : refusalText(code, localizer)
}
