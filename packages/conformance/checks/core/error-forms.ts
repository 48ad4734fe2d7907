import { asMembers } from '../../caller/answer.ts'
import { expectEqual, expectMembers, expectText, expectTrue, inCase } from '../../run/expectations.ts'
import { check } from '../check.ts'
import { protocolErrors, refusals } from './error-cases.ts'
import { expectProblemType, problemTypeOf } from './problems.ts'
import { sampleInputs } from './sample-inputs.ts'

const needs = ['services.bookings', 'services.availability']
/** The codes of business refusals. The server sends these codes only in `messages[]`. */
const OUTCOME_CODES = [
  'slot_unavailable',
  'hold_expired',
  'booking_window_violated',
  'capacity_exceeded',
  'reschedule_limit_reached',
  'cancellation_not_allowed',
  'payment_required',
  'payment_expired',
  'payment_amount_mismatch',
  'actions_pending',
  'price_mismatch',
  'waitlist_full',
  'offer_expired',
  'offer_already_accepted',
  'invalid_transition',
  'capabilities_incompatible',
  'service_unresolved',
]

export const errorFormChecks = [
  check(
    'REST-008 ERR-012 ERR-014 ERR-016 ERR-018 LIV-023',
    'A protocol error over REST is a Problem Details document with a code',
    async (c) => {
      for (const { name, answer } of await protocolErrors(c))
        inCase(name, () => {
          expectProblemType(answer)
          const problem = expectMembers(answer.json, 'the problem')
          c.schemas.expectValid('rest_common#ProblemDetails', problem, 'the problem')
          expectEqual(problem.status, answer.status, 'status')
          const code = expectText(problem.code, 'code')
          expectTrue(/^[a-z0-9]+(_[a-z0-9]+)*$/.test(code), 'a code in snake case', code)
          if (problem.type !== 'about:blank') expectEqual(problem.type, problemTypeOf(code), 'type')
          expectText(problem.detail, 'detail')
        })
    },
    { only: 'rest' },
  ),
  check(
    'LIV-028 MCP-011 MCP-013 MCP-033',
    'A protocol error of a tool call is a JSON-RPC error with a code and a text',
    async (c) => {
      for (const { name, answer } of await protocolErrors(c))
        inCase(name, () => {
          const message = expectMembers(answer.json, 'the answer')
          expectEqual('result' in message, false, 'the presence of a result in the answer')
          const { data, message: text } = expectMembers(message.error, 'error')
          const { code, content } = expectMembers(data, 'error.data')
          expectText(content, 'data.content')
          expectEqual(text, expectText(code, 'data.code'), 'error.message')
          expectEqual(answer.status, 200, 'the HTTP status')
        })
    },
    { only: 'mcp' },
  ),
  check(
    'ERR-001 ERR-002 ERR-003 ERR-004 ERR-006 ERR-007 ERR-008 LIV-016',
    'A business refusal is a message in the form of the protocol',
    async (c) => {
      for (const { name, answer } of await refusals(c))
        inCase(name, () => {
          const [first] = answer.messages
          const code = String(answer.refusal?.code ?? first?.code)
          answer.refusedWith(...OUTCOME_CODES)
          for (const message of answer.messages) {
            c.schemas.expectValid('booking#Message', message, 'the message')
            expectText(message.content, 'content')
            if (message.type === 'error') expectText(message.severity, 'severity')
            if (message.path !== undefined) expectTrue(/^\$/.test(String(message.path)), 'a JSONPath', message.path)
          }
          if (code === 'invalid_transition') expectEqual(answer.refusal?.severity, 'unrecoverable', 'severity')
        })
    },
    { needs },
  ),
  check(
    'ERR-010 REST-006 MCP-010',
    'A business refusal has the status error, and contains no hold or credential',
    async (c) => {
      for (const { name, answer } of await refusals(c))
        inCase(name, () => {
          answer.refusedWith(...OUTCOME_CODES)
          const usp = expectMembers(answer.result?.usp, 'usp')
          expectText(usp.version, 'usp.version')
          expectEqual(usp.status, 'error', 'usp.status')
          for (const member of ['hold', 'booking_scoped_credential'])
            expectEqual(answer.result?.[member], undefined, `the member ${member}`)
          if (answer.binding === 'mcp') expectEqual('error' in expectMembers(answer.json, 'the answer'), false, 'error')
        })
    },
    { needs },
  ),
  check(
    'LIV-001 LIV-018',
    'No error code is used both in messages and in protocol errors',
    async (c) => {
      const protocol = (await protocolErrors(c)).map(({ answer }) => answer)
      const refused = (await refusals(c)).map(({ answer }) => answer)
      const missing = await c.caller.call('book', sampleInputs.book)
      const all = [...protocol, ...refused, missing]
      const errors = all.flatMap(({ error }) => error?.code ?? [])
      const messages = all.flatMap(({ messages }) => messages.filter(({ type }) => type === 'error'))
      const codes = messages.map(({ code }) => String(code))
      expectEqual(
        codes.filter((code) => errors.includes(code)),
        [],
        'the codes in both messages and protocol errors',
      )
      expectEqual(
        errors.filter((code) => OUTCOME_CODES.includes(code)),
        [],
        'the codes of business refusals among the protocol errors',
      )
      const outcomeTypes: unknown[] = OUTCOME_CODES.map(problemTypeOf)
      const types = all.map(({ json }) => asMembers(json)?.type)
      expectEqual(
        types.filter((type) => outcomeTypes.includes(type)),
        [],
        'the types of business refusals among the protocol errors',
      )
    },
    { needs },
  ),
]
