import { defineOperation } from '../../../protocol/define-operation.ts'
import type { GetSession } from '../../../protocol/types.generated.ts'
import { atDesk } from '../shared/operation-defaults.ts'
import { currentSession, sessionId, sessionOutput } from './class-session-schema.ts'

export const readSession = defineOperation<GetSession>({
  ...atDesk,
  id: 'getSession',
  rest: 'GET /business/sessions/{session_id}',
  tool: 'usp_business_sessions_get',
  title: 'Read a class',
  description:
    'Returns when a class takes place and how many places are taken. For its bookings call ' +
    'usp_business_bookings_list with its session_id.',
  effect: 'read',
  input: { type: 'object', required: ['session_id'], properties: { session_id: sessionId } },
  output: sessionOutput,
  summary: ({ session: { start, capacity, taken } }) => `The class at ${start}: ${taken} of ${capacity} places taken.`,
  handle: async (context) => ({ session: await currentSession(context, context.input.session_id) }),
})
