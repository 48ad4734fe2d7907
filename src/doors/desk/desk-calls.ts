import type { FastifyRequest } from 'fastify'
import { type Answer, callFromPage } from '../../pipeline/call-from-page.ts'
import { suffices } from '../../pipeline/check-role.ts'
import type { CallMeans } from '../../pipeline/dispatch.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { Means } from '../../protocol/means.ts'
import type { Exchange, Operation } from '../../protocol/operation.ts'
import type { AtDesk } from './session.ts'

export type DeskMeans = CallMeans & Means<'log'>

/** Who asks, from where. */
export interface Asking {
  who: AtDesk
  request: FastifyRequest
  /** Digest of the form that was sent: sent again, it does nothing again. */
  form?: string
}

/** Calls an operation for somebody at the desk: there is no other way to read or to write. */
export const ask = <T extends Exchange>(
  operation: Operation<T>,
  input: T['input'],
  { who, request: { peer }, form }: Asking,
  means: DeskMeans,
): Promise<Answer<T['output']>> => {
  const headers = form === undefined ? {} : { 'idempotency-key': form }
  return callFromPage(operation, input, { peer, staff: { id: who.id, role: who.role }, headers }, means)
}

/** What somebody may not do is not shown to them. */
export const may = ({ role }: Pick<AtDesk, 'role'>, operation: Operation): boolean => suffices(role, operation)

/** For `catch`: what is not there, or any more, is no fault. */
export function unlessNotThere(error: unknown): undefined {
  if (!(error instanceof ProtocolError && error.code === 'not_found')) throw error
}
