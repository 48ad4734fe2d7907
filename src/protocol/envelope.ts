import { capabilities, capabilitiesConcerning, VERSION } from './capabilities.ts'
import { standalone } from './deployment.ts'
import { type BusinessRefusal, errors, type ProtocolError, pathOf } from './errors.ts'
import { ignoredMembers } from './ignored-members.ts'
import type { Call, ObjectSchema, Operation, Result } from './operation.ts'
import { shape } from './schemas.ts'
import type { Message, UspMeta } from './types.generated.ts'

export interface Envelope {
  usp: UspMeta
  messages?: Message[]
}

/** The answer of a successful call: the result of the operation, and notices about members that the server ignored. */
export function success(call: Call, result: Result): Envelope {
  const { messages = [] } = result
  // If the answer contains an error, notices about ignored members would only distract from the error.
  if (messages.some(({ type }) => type === 'error')) return { usp: { ...meta(call), status: 'error' }, ...result }
  const answer = { usp: meta(call), ...result }
  const { outerMembers } = call.deployment ?? standalone
  const reported = new Set([...outerMembers, ...messages.map(({ path }) => path)])
  const ignored = ignoredMembers(call.operation, call.input).filter(({ path }) => !reported.has(path))
  return ignored.length > 0 ? { ...answer, messages: [...messages, ...ignored] } : answer
}

export const refusal = (call: Call, outcome: BusinessRefusal): Envelope => ({
  usp: { ...meta(call), status: 'error' },
  messages: [messageOf(outcome)],
})

export const messageOf = ({ code, message, path, more }: BusinessRefusal): Message => ({
  type: 'error',
  code,
  content: message,
  severity: errors[code].severity,
  ...(path && { path }),
  ...more,
})

/**
 * Converts an error about the input to a message. Forms and import reports show the message beside the faulty value.
 */
export const messageAboutInput = (error: ProtocolError): Message => {
  const path = pathOf(error)
  return {
    type: 'error',
    code: error.code,
    content: error.message,
    severity: 'requires_buyer_input',
    ...(path !== undefined && { path }),
  }
}

/**
 * The protocol version, and the agreed capabilities that concern the operation. For a caller without a platform
 * profile, the capability has the version of this server.
 */
function meta({ operation: { capability }, agent }: Call): UspMeta {
  const ownCapability = new Map([[capability, capabilities[capability].version]])
  const used = agent ? capabilitiesConcerning(capability, agent.agreed, agent.offered) : ownCapability
  return {
    version: VERSION,
    capabilities: Object.fromEntries([...used].map(([name, version]) => [name, [{ version }]])),
  }
}

/** The schema of a whole answer: the envelope with the payload or, if the business refuses, with messages only. */
export function answerSchema({ output }: Operation): ObjectSchema {
  return {
    type: 'object',
    required: ['usp'],
    properties: { usp: shape('response_schema'), ...output.properties, messages },
    anyOf: [
      { required: [...(output.required ?? [])] },
      {
        required: ['messages'],
        properties: { usp: { type: 'object', required: ['status'], properties: { status: { const: 'error' } } } },
      },
    ],
  }
}

const messages = {
  type: 'array',
  items: shape('Message'),
  description: 'Errors, warnings and notices about this answer.',
}
