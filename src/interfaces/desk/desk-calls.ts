import type { FastifyRequest } from 'fastify'
import { type Answer, callFromPage } from '../../pipeline/call-from-page.ts'
import { isRoleSufficient } from '../../pipeline/check-role.ts'
import type { CallDependencies } from '../../pipeline/dispatch.ts'
import type { Dependencies } from '../../protocol/dependencies.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { Operation, OperationTypes, Submission } from '../../protocol/operation.ts'
import type { SignedInStaff } from './browser-session.ts'
import type { DeskForm } from './desk-form.ts'

export type DeskDependencies = CallDependencies & Dependencies<'log'>

export interface DeskRequest {
  who: SignedInStaff
  request: FastifyRequest
  /** The submitted form. Its calls use idempotency keys, so a second submission has no effect. */
  form?: DeskForm
}

export const callAsStaff = <T extends OperationTypes>(
  operation: Operation<T>,
  input: T['input'],
  { who, request: { peer }, form }: DeskRequest,
  means: DeskDependencies,
): Promise<Answer<T['output']>> => {
  const submission = form && operation.effect !== 'read' && { submission: submissionOf(form, operation) }
  return callFromPage(operation, input, { peer, staff: { id: who.id, role: who.role }, ...submission }, means)
}

/** Each call of a form has its own key: the form key, the operation, and the number of its earlier calls. */
function submissionOf({ key, content, calls }: DeskForm, { id }: Pick<Operation, 'id'>): Submission {
  const nth = calls.get(id) ?? 0
  calls.set(id, nth + 1)
  return { key: `${key} ${id} ${nth}`, content }
}

/** Pages hide the actions that a role does not allow. */
export const isAllowed = ({ role }: Pick<SignedInStaff, 'role'>, operation: Operation): boolean =>
  isRoleSufficient(role, operation)

/** For `catch`: a missing thing gives undefined. */
export function ignoreNotFound(error: unknown): undefined {
  if (!(error instanceof ProtocolError && error.code === 'not_found')) throw error
}
