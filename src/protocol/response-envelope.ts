import { capabilities, capabilitiesConcerning, entriesOf, UCP_VERSION, VERSION } from './capabilities.ts'
import type { Call, ObjectSchema, Operation, Result } from './define-operation.ts'
import { standalone } from './deployment-modes.ts'
import { BusinessRefusal, errors, pathOf, type Refusal } from './errors.ts'
import { shape } from './json-schemas.ts'
import { ignoredMembers } from './report-ignored-fields.ts'
import type { Message, UcpMeta, UspMeta } from './types.generated.ts'

export interface Envelope {
  usp?: UspMeta
  ucp?: UcpMeta
  messages?: Message[]
}

/**
 * Builds the answer to a successful call: the result of the operation, and notices about input properties that had no
 * effect.
 */
export function success(call: Call, result: Result): Envelope {
  if (call.operation.protocol === 'ucp') return ucpSuccess(call, result)
  const { messages = [] } = result
  // An answer with an error does not list ignored input properties, so that the caller notices the error.
  if (messages.some(({ type }) => type === 'error')) return { usp: { ...meta(call), status: 'error' }, ...result }
  const answer = { usp: meta(call), ...result }
  const { outerMembers } = call.deployment ?? standalone
  const reported = new Set([...outerMembers, ...messages.map(({ path }) => path)])
  const ignored = ignoredMembers(call.operation, call.input).filter(({ path }) => !reported.has(path))
  return ignored.length > 0 ? { ...answer, messages: [...messages, ...ignored] } : answer
}

export function refusal(call: Call, outcome: BusinessRefusal): Envelope {
  const messages = [messageOf(outcome)]
  if (call.operation.protocol === 'ucp') return { ucp: { ...ucpMeta(call), status: 'error' }, messages }
  return { usp: { ...meta(call), status: 'error' }, messages }
}

/**
 * Builds the answer of an operation of the Universal Commerce Protocol (UCP). An answer that contains an object, such
 * as a checkout, has the status `success`, even if its messages report errors about the object.
 */
const ucpSuccess = (call: Call, result: Result<{ ucp?: object }>): Envelope => ({
  ...result,
  ucp: { ...result.ucp, ...ucpMeta(call), status: 'success' },
})

/** Whether the answer contains only errors, and no result. */
export const isErrorAnswer = ({ usp, ucp }: Envelope): boolean => (usp ?? ucp)?.status === 'error'

/** Converts the refusal of a call to a message for answers, forms and import reports. */
export function messageOf(refusal: Refusal): Message {
  const { code, message } = refusal
  const path = pathOf(refusal)
  const isOutcome = refusal instanceof BusinessRefusal
  return {
    type: 'error',
    code,
    content: message,
    severity: isOutcome ? errors[refusal.code].severity : 'requires_buyer_input',
    ...(path && { path }),
    ...(isOutcome && refusal.more),
  }
}

/**
 * Returns the protocol version, and the agreed capabilities (named parts of the protocol) that concern the called
 * operation. For a caller without a platform profile, it returns the server's own version of the operation's
 * capability.
 */
const meta = (call: Call): UspMeta => ({ version: VERSION, capabilities: concerning(call) })

const ucpMeta = (call: Call): UcpMeta => ({ version: UCP_VERSION, capabilities: concerning(call) })

function concerning({ operation: { capability }, agent }: Call) {
  const own = new Map([[capability, capabilities[capability].version]])
  return entriesOf(agent ? capabilitiesConcerning(capability, agent.agreed, agent.offered) : own)
}

/**
 * Returns the JSON Schema of the whole answer: the result of the operation, or only messages if the business refuses
 * the call.
 */
export function answerSchema({ output, protocol: other }: Operation): ObjectSchema {
  const protocol = other ?? 'usp'
  const isError = { type: 'object', required: ['status'], properties: { status: { const: 'error' } } }
  const meta = shape(protocol === 'ucp' ? 'UcpMeta' : 'response_schema')
  return {
    type: 'object',
    required: [protocol],
    properties: { [protocol]: meta, ...output.properties, messages },
    anyOf: [
      { required: [...(output.required ?? [])] },
      { required: ['messages'], properties: { [protocol]: isError } },
    ],
  }
}

const messages = {
  type: 'array',
  items: shape('Message'),
  description: 'Errors, warnings and notices about this answer.',
}
