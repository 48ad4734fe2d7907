import { capabilities, VERSION } from './capabilities.ts'
import { standalone } from './deployment.ts'
import { errors, type Outcome } from './errors.ts'
import { ignoredMembers } from './ignored-members.ts'
import { concerning } from './negotiate.ts'
import type { Call, ObjectSchema, Operation, Result } from './operation.ts'
import { shape } from './schemas.ts'
import type { Message, UspMeta } from './types.generated.ts'

export interface Envelope {
  usp: UspMeta
  messages?: Message[]
}

/** What the business says, and what of the call it took no notice of. */
export function success(call: Call, result: Result): Envelope {
  const { messages = [] } = result
  // Where something is wrong, that alone is worth mending.
  if (messages.some(({ type }) => type === 'error')) return { usp: { ...meta(call), status: 'error' }, ...result }
  const answer = { usp: meta(call), ...result }
  const { outerMembers } = call.deployment ?? standalone
  const reported = new Set([...outerMembers, ...messages.map(({ path }) => path)])
  const ignored = ignoredMembers(call.operation, call.input).filter(({ path }) => !reported.has(path))
  return ignored.length > 0 ? { ...answer, messages: [...messages, ...ignored] } : answer
}

export const refusal = (call: Call, outcome: Outcome): Envelope => ({
  usp: { ...meta(call), status: 'error' },
  messages: [messageOf(outcome)],
})

/** Why the business says no. */
export const messageOf = ({ code, message, path, more }: Outcome): Message => ({
  ...{ type: 'error', code, content: message, severity: errors[code].severity },
  ...(path && { path }),
  ...more,
})

/** The version, and of what is agreed with the platform what concerns this operation. Who names none gets our own. */
function meta({ operation: { capability }, agent }: Call): UspMeta {
  const own = new Map([[capability, capabilities[capability].version]])
  const named = agent ? concerning(capability, agent.agreed, agent.offered) : own
  return {
    version: VERSION,
    capabilities: Object.fromEntries([...named].map(([name, version]) => [name, [{ version }]])),
  }
}

/** The whole answer's schema: the envelope around the payload, or around messages alone when the business says no. */
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
