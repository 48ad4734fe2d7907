import { revisionOf } from '../../domain/bookings/booking.ts'
import type { BookingRow } from '../../domain/bookings/booking-row.ts'
import { type Answer, callFromPage, type PageCaller } from '../../pipeline/call-from-page.ts'
import { newAssistedVisit } from '../../pipeline/visitor.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { Operation, OperationTypes } from '../../protocol/operation.ts'
import { type ToolContext, ToolError } from './tool.ts'

/** Calls an operation for the account that signed in. Without a sign-in, calls it for an anonymous visitor. */
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

/**
 * The secret that identifies the visitor in all read calls without a sign-in. These calls can share one secret, because
 * they create nothing that belongs to a visitor.
 */
export const SHARED_READER_VISIT = newAssistedVisit()

/** Calls an operation for the visitor with the given secret. A write call without a secret gets a new secret. */
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

/**
 * An error handler for `catch`. Returns undefined if the network of the caller has reached a limit. Throws all other
 * errors again.
 */
export function undefinedAtLimit(error: unknown): undefined {
  const isLimit = error instanceof ProtocolError && LIMIT_ERRORS.includes(error.code)
  if (!isLimit) throw error
}

const LIMIT_ERRORS = ['hold_limit_exceeded', 'rate_limited']

/** The most attempts to change a booking. An attempt fails if another call has changed the booking meanwhile. */
const MOST_TRIES = 10

/**
 * Repeats `change` while its result is undefined. This result means that another call changed the booking between the
 * read and the write of `change`.
 */
export async function retryOnConflict<T>(change: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const changed = await change()
    if (changed !== undefined) return changed
  }
  throw new ToolError('Other calls keep changing this booking. Call again in a minute.')
}

/**
 * Returns the header that makes a change conditional. The server then refuses the change if the booking has a newer
 * revision.
 */
export const ifUnchangedSince = (booking: BookingRow, { dependencies }: ToolContext) => ({
  headers: { 'if-match': revisionOf(dependencies.tag, booking) },
})

/** An error handler for `catch`. Returns undefined after a revision mismatch. Throws all other errors again. */
export function undefinedIfStale(error: unknown): undefined {
  if (!(error instanceof ProtocolError) || error.code !== 'revision_mismatch') throw error
}
