import type { FastifyRequest } from 'fastify'
import { type Answer, callFromPage } from '../../pipeline/call-from-page.ts'
import { suffices } from '../../pipeline/check-role.ts'
import type { CallMeans } from '../../pipeline/dispatch.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { Means } from '../../protocol/means.ts'
import type { Exchange, Operation, Submission } from '../../protocol/operation.ts'
import type { DeskForm } from './desk-form.ts'
import type { AtDesk } from './session.ts'

export type DeskMeans = CallMeans & Means<'log'>

export interface Asking {
  who: AtDesk
  request: FastifyRequest
  /** The submitted form. Its calls use idempotency keys, so a second submission has no effect. */
  form?: DeskForm
}

export const ask = <T extends Exchange>(
  operation: Operation<T>,
  input: T['input'],
  { who, request: { peer }, form }: Asking,
  means: DeskMeans,
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
export const may = ({ role }: Pick<AtDesk, 'role'>, operation: Operation): boolean => suffices(role, operation)

/** For `catch`: a missing thing gives undefined. */
export function unlessNotThere(error: unknown): undefined {
  if (!(error instanceof ProtocolError && error.code === 'not_found')) throw error
}
