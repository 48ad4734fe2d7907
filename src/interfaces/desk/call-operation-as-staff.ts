import type { FastifyRequest } from 'fastify'
import type { SignedInStaff } from '../../core/authentication/staff-sessions.ts'
import { html } from '../../infra/util/html-template.ts'
import { type Answer, callFromPage } from '../../pipeline/call-operation-from-page.ts'
import { isRoleSufficient, neededRole } from '../../pipeline/check-permissions.ts'
import type { CallDependencies } from '../../pipeline/dispatch-operation.ts'
import type { Role } from '../../protocol/caller-types.ts'
import type { Operation, OperationTypes, Submission } from '../../protocol/define-operation.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { forbidden } from '../pages/error-pages.ts'
import type { DeskForm } from './desk-form-tokens.ts'
import type { DeskView } from './desk-page.ts'

export type DeskDependencies = CallDependencies & Dependencies<'log' | 'pushBox' | 'companySignInKey' | 'calendarKey'>

export interface DeskRequest {
  who: SignedInStaff
  request: FastifyRequest
  /**
   * The form that the staff member submitted. The server derives idempotency keys from the form, so that a second
   * submission has no effect.
   */
  form?: DeskForm
}

export const callAsStaff = <T extends OperationTypes>(
  operation: Operation<T>,
  input: T['input'],
  { who, request: { peer }, form }: DeskRequest,
  dependencies: DeskDependencies,
): Promise<Answer<T['output']>> => {
  const submission = form && operation.effect !== 'read' && { submission: submissionOf(form, operation) }
  return callFromPage(operation, input, { peer, staff: { id: who.id, role: who.role }, ...submission }, dependencies)
}

/**
 * Returns the idempotency key (which identifies repeated calls) of a call that a submitted form makes. The key consists
 * of the key of the form, the id of the operation, and the number of earlier calls to this operation.
 */
function submissionOf({ key, content, calls }: DeskForm, { id }: Pick<Operation, 'id'>): Submission {
  const nth = calls.get(id) ?? 0
  calls.set(id, nth + 1)
  return { key: `${key} ${id} ${nth}`, content }
}

/** Whether the role of the staff member allows the operation. Pages hide the actions that are not allowed. */
export const isAllowed = ({ role }: Pick<SignedInStaff, 'role'>, operation: Operation): boolean =>
  isRoleSufficient(role, operation)

/**
 * The page for a staff member whose role does not allow an action. The page names the required role, and the staff who
 * can grant this role. If the required role is unknown, the page only says "forbidden".
 */
export function missingRolePage(
  operation: Operation | undefined,
  { who, request: { localizer } }: Pick<DeskRequest, 'who' | 'request'>,
  needed: Role | undefined = operation && neededRole(operation),
): DeskView {
  if (needed === undefined) return forbidden(localizer)
  const { say } = localizer
  const isGivenByManagers = needed === 'staff' || needed === 'viewer'
  const roles = { needed: say(`desk.role.${needed}`), role: say(`desk.role.${who.role}`) }
  return {
    status: 403,
    title: say('desk.may_not'),
    who,
    body: html`<p>${say('desk.may_not.text', { ...roles, name: who.name })}</p>
<p>${say(isGivenByManagers ? 'desk.may_not.manager' : 'desk.may_not.owner')}</p>
<p><a class="button" href="/desk">${say('desk.today')}</a></p>`,
  }
}
