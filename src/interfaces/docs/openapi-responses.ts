import { type Operation, restRouteOf, successStatus } from '../../protocol/define-operation.ts'
import { errors } from '../../protocol/errors.ts'
import type { Schema } from '../../protocol/json-schemas.ts'
import { answerSchema } from '../../protocol/response-envelope.ts'
import { errorCodesOf } from './error-codes-of-operation.ts'
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

const statusesOf = (operation: Operation): number[] =>
  [...new Set(errorCodesOf(operation).map((code) => errors[code].http))].sort()
