import { isOptional } from '../../protocol/capabilities.ts'
import { type Operation, restRouteOf, successStatus } from '../../protocol/define-operation.ts'
import { errors, type ProtocolCode } from '../../protocol/errors.ts'
import type { Schema } from '../../protocol/json-schemas.ts'
import { answerSchema } from '../../protocol/response-envelope.ts'
import { headersOfAnswer } from './openapi-headers.ts'

const problem = { $ref: '#/components/responses/Problem' }
const refused = 'refused by the business: `usp.status` is then `error`, and `messages` say why'

export const responsesOf = (operation: Operation) => ({
  ...successesOf(operation),
  ...(operation.cache &&
    restRouteOf(operation).method === 'GET' && {
      304: { description: 'Unchanged since the ETag in the request.', ...headersOfAnswer(operation) },
    }),
  ...Object.fromEntries(statusesOf(operation).map((status) => [status, problem])),
})

function successesOf(operation: Operation) {
  const answer = answerSchema(operation)
  const status = successStatus(operation)
  const headers = headersOfAnswer(operation)
  const json = (schema: Schema) => ({ ...headers, content: { 'application/json': { schema } } })
  if (operation.silent)
    return {
      200: { description: `Nothing was done: ${refused}.`, ...json(answer) },
      [status]: { description: 'Done.', ...headers },
    }
  if (status === 200) return { 200: { description: `Done, or ${refused}.`, ...json(answer) } }
  const nothingCreated = `Nothing was created: ${refused}; or it already existed, and this is the existing one.`
  const created = { ...answer, required: ['usp', ...(operation.output.required ?? [])] }
  return { 200: { description: nothingCreated, ...json(answer) }, [status]: { description: 'Done.', ...json(created) } }
}

/**
 * Whether callers of the operation can send the header `If-Match`. Only bookings and waitlist entries have a revision
 * that the server can compare with this header.
 */
export const isConditional = ({ effect, rest }: Operation): boolean =>
  effect !== 'read' && /\{(booking|entry)_id\}/.test(rest)

export function statusesOf(operation: Operation): number[] {
  const { access, effect, rest, mayMiss } = operation
  const codes: ProtocolCode[] = [
    'invalid_request',
    'validation_error',
    'profile_not_trusted',
    'profile_unreachable',
    'rate_limited',
    'server_error',
    'service_unavailable',
  ]
  if (access !== 'public') codes.push('authentication_required')
  if (effect !== 'read') codes.push('idempotency_conflict')
  if (restRouteOf(operation).inBody) codes.push('content_too_large', 'unsupported_media_type')
  if (rest.includes('{') || mayMiss || isOptional(operation)) codes.push('not_found')
  if (isConditional(operation)) codes.push('revision_mismatch')
  return [...new Set(codes.map((code) => errors[code].http))].sort()
}
