import { revisionOf } from '../../domain/bookings/booking.ts'
import type { BookingRow } from '../../domain/bookings/booking-row.ts'
import { type Answer, callFromPage, type PageCaller } from '../../pipeline/call-from-page.ts'
import { newAssistedVisit } from '../../pipeline/visitor.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { Operation, OperationTypes } from '../../protocol/operation.ts'
import { type ToolContext, ToolError } from './tool.ts'

/** Calls an operation as the account that signed in, or else as an anonymous visitor. */
export const callOperation = <T extends OperationTypes>(
  operation: Operation<T>,
  input: T['input'],
  { assistant, ...toolContext }: ToolContext,
  more: Pick<PageCaller, 'sentForm' | 'headers'> = {},
): Promise<Answer<T['output']>> =>
  assistant
    ? callFromPage(
        operation,
        input,
        { ...more, binding: 'assistant', assistant, peer: toolContext.peer },
        toolContext.dependencies,
      )
    : callAsAssistedVisitor(operation, input, toolContext)

/** Read operations own nothing, so all of them share one visit secret. */
export const SHARED_READER_VISIT = newAssistedVisit()

/** Calls an operation as the visitor with this visit secret. A write without a secret gets a new one. */
export const callAsAssistedVisitor = <T extends OperationTypes>(
  operation: Operation<T>,
  input: T['input'],
  { peer, dependencies }: Pick<ToolContext, 'peer' | 'dependencies'>,
  {
    visitor = operation.effect === 'read' ? SHARED_READER_VISIT : newAssistedVisit(),
    ...visit
  }: Pick<PageCaller, 'visitor' | 'locale' | 'headers'> = {},
): Promise<Answer<T['output']>> =>
  callFromPage(operation, input, { ...visit, binding: 'assistant', visitor, peer }, dependencies)

/** For `catch`: turns a reached network limit into undefined and rethrows other errors. */
export function undefinedAtLimit(error: unknown): undefined {
  const isLimit = error instanceof ProtocolError && LIMIT_ERRORS.includes(error.code)
  if (!isLimit) throw error
}

const LIMIT_ERRORS = ['hold_limit_exceeded', 'rate_limited']

/** Each try fails when another writer changed the booking first. */
const MOST_TRIES = 10

/**
 * Repeats `change` while it returns undefined, which means that another writer changed the booking after it was read.
 */
export async function retryOnConflict<T>(change: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const changed = await change()
    if (changed !== undefined) return changed
  }
  throw new ToolError('Other calls keep changing this booking. Call again in a minute.')
}

/** Makes the change conditional on the revision that was read. */
export const ifUnchangedSince = (booking: BookingRow, { dependencies }: ToolContext) => ({
  headers: { 'if-match': revisionOf(dependencies.tag, booking) },
})

/** For `catch`: turns a revision mismatch into undefined. */
export function undefinedIfStale(error: unknown): undefined {
  if (!(error instanceof ProtocolError) || error.code !== 'revision_mismatch') throw error
}
