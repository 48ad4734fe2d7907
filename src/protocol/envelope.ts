import { capabilities, VERSION } from './capabilities.ts'
import { errors, type Outcome } from './errors.ts'
import type { ObjectSchema, Operation, Result } from './operation.ts'
import { shape } from './schemas.ts'
import type { Message, UspMeta } from './types.generated.ts'

export interface Envelope {
  usp: UspMeta
  messages?: Message[]
}

export const success = (operation: Operation, result: Result): Envelope => ({ usp: meta(operation), ...result })

export const refusal = (operation: Operation, outcome: Outcome): Envelope => ({
  usp: { ...meta(operation), status: 'error' },
  messages: [
    {
      type: 'error',
      code: outcome.code,
      content: outcome.message,
      severity: errors[outcome.code].severity,
      ...(outcome.path && { path: outcome.path }),
    },
  ],
})

const meta = ({ capability }: Operation): UspMeta => ({
  version: VERSION,
  capabilities: { [capability]: [{ version: capabilities[capability].version }] },
})

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
