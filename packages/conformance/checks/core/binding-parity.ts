import type { Members } from '../../caller/answer.ts'
import type { OperationName } from '../../caller/operations.ts'
import { expectEqual, expectTrue, inCase } from '../../run/expectations.ts'
import { check } from '../check.ts'
import { overBoth } from './over-both.ts'
import { offeredOperations, sampleInputs } from './sample-inputs.ts'

const FAULTY: [OperationName, Members][] = [
  ['getService', {}],
  ['lookupServices', { ids: undefined }],
  ['lookupServices', { ids: 'a' }],
  ['listServices', { pagination: { cursor: 'no-cursor' } }],
  ['queryAvailability', {}],
  ['getBooking', {}],
  ['cancelBooking', {}],
  ['reschedule', {}],
  ['getEntry', {}],
  ['getSubscription', {}],
  ['getRegistration', {}],
  ['hold', { service_id: undefined }],
  ['book', { hold_id: 'hold_of_nobody' }],
]

export const bindingParityChecks = [
  check(
    'MCP-031',
    'An invalid input gets the same error code over both bindings',
    async (c) => {
      const offered = offeredOperations(c.target)
      for (const [name, fault] of FAULTY.filter(([name]) => offered.includes(name))) {
        const [rest, mcp] = await overBoth(c, c.sharedPlatform.caller, name, { ...sampleInputs[name], ...fault })
        inCase(`${name} with ${JSON.stringify(fault)}`, () => {
          expectTrue(rest.error?.code !== undefined, 'an error with a code over REST', rest.text)
          expectEqual(mcp.error?.code, rest.error.code, 'the code over MCP')
        })
      }
    },
    { only: 'rest' },
  ),
  check(
    'MCP-032',
    'A business refusal has the same message over both bindings',
    async (c) => {
      const { slot } = await c.hold()
      const [rest, mcp] = await overBoth(c, c.sharedPlatform.caller, 'hold', {
        service_id: c.simpleService.id,
        slot_id: slot.id,
      })
      const [first, second] = [rest, mcp].map((answer) => {
        const { type, code, severity } = answer.refusedWith('slot_unavailable')
        return { type, code, severity }
      })
      expectEqual(second, first, 'type, code and severity over MCP')
    },
    { only: 'rest', needs: ['services.availability'] },
  ),
]
