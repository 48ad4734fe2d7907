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

/** Who asks, from where. */
export interface Asking {
  who: AtDesk
  request: FastifyRequest
  /** The form that was submitted. What it asks for is done once, however often it is submitted. */
  form?: DeskForm
}

/** Calls an operation for somebody at the desk: there is no other way to read or to write. */
export const ask = <T extends Exchange>(
  operation: Operation<T>,
  input: T['input'],
  { who, request: { peer }, form }: Asking,
  means: DeskMeans,
): Promise<Answer<T['output']>> => {
  const submission = form && operation.effect !== 'read' && { submission: submissionOf(form, operation) }
  return callFromPage(operation, input, { peer, staff: { id: who.id, role: who.role }, ...submission }, means)
}

/** Each call that a form causes has a key of its own: by the operation, and by how many calls of it came before. */
function submissionOf({ key, content, calls }: DeskForm, { id }: Pick<Operation, 'id'>): Submission {
  const nth = calls.get(id) ?? 0
  calls.set(id, nth + 1)
  return { key: `${key} ${id} ${nth}`, content }
}

/** What somebody may not do is not shown to them. */
export const may = ({ role }: Pick<AtDesk, 'role'>, operation: Operation): boolean => suffices(role, operation)

/** For `catch`: what is not there, or any more, is no fault. */
export function unlessNotThere(error: unknown): undefined {
  if (!(error instanceof ProtocolError && error.code === 'not_found')) throw error
}
