import { revisionOf } from '../../domain/bookings/booking-response.ts'
import type { BookingRow } from '../../domain/bookings/booking-row.ts'
import { type Answer, callFromPage, type PageCaller } from '../../pipeline/call-operation-from-page.ts'
import { newAssistedVisit } from '../../pipeline/page-visitor.ts'
import type { Operation, OperationTypes } from '../../protocol/define-operation.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { type ToolContext, ToolError } from './tool-definition.ts'

/**
 * Calls an operation in the name of the account that signed in. Without a sign-in, calls it for an anonymous visitor.
 */
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
 * The visitor secret (which identifies an anonymous visitor) of all read calls without a sign-in. Read calls create
 * nothing that belongs to a visitor, so they can safely share one secret.
 */
export const SHARED_READER_VISIT = newAssistedVisit()

/**
 * Calls an operation for the anonymous visitor with the given secret. Without a secret, a read call uses a shared
 * secret, and a call that changes data uses a new secret.
 */
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
 * A function for the `catch` method of a promise. Returns undefined if the error says that a limit is reached. Throws
 * all other errors again.
 */
export function undefinedAtLimit(error: unknown): undefined {
  const isLimit = error instanceof ProtocolError && LIMIT_ERRORS.includes(error.code)
  if (!isLimit) throw error
}

const LIMIT_ERRORS = ['hold_limit_exceeded', 'rate_limited']

/**
 * The maximum number of attempts to change a booking. An attempt fails if another call changes the booking at the same
 * time.
 */
const MOST_TRIES = 10

/**
 * Calls the function `change` again until `change` returns a value. `change` returns undefined if another call changed
 * the booking between the read and the write.
 */
export async function retryOnConflict<T>(change: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const changed = await change()
    if (changed !== undefined) return changed
  }
  throw new ToolError('Other calls keep changing this booking. Call again in a minute.')
}

/**
 * Returns the header `If-Match` with the revision of the booking. The server refuses the change if another call has
 * changed the booking since then.
 */
export const ifUnchangedSince = (booking: BookingRow, { dependencies }: ToolContext) => ({
  headers: { 'if-match': revisionOf(dependencies.tag, booking) },
})

/**
 * A function for the `catch` method of a promise. Returns undefined if the server refused a change because the booking
 * has a newer revision. Throws all other errors again.
 */
export function undefinedIfStale(error: unknown): undefined {
  if (!(error instanceof ProtocolError) || error.code !== 'revision_mismatch') throw error
}
