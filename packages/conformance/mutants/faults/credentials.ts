import { asMembers } from '../../caller/answer.ts'
import { bookingOf, codeOf, resultOf, withMember, withResult } from '../answers.ts'
import type { Fault } from '../fault.ts'

const FIFTEEN_MINUTES_MS = 900_000

export const credentialFaults: Fault[] = [
  {
    name: 'The credential of a booking ends after fifteen minutes',
    only: ['BSC'],
    operations: ['book'],
    result: (result) => {
      const expires_at = new Date(Date.now() + FIFTEEN_MINUTES_MS).toISOString()
      return withMember(result, 'booking_scoped_credential', (credential) => ({ ...credential, expires_at }))
    },
  },
  {
    name: 'The answer to an update contains the credential of the booking',
    only: ['BSC'],
    operations: ['book', 'updateBooking'],
    result: (result, { operation }, memory) => {
      const id = String(bookingOf(result).id)
      const { booking_scoped_credential } = result
      if (operation === 'book' && booking_scoped_credential) memory.set(id, { booking_scoped_credential })
      return operation === 'updateBooking' ? { ...result, ...asMembers(memory.get(id)) } : undefined
    },
  },
  {
    name: 'The credential of a canceled booking still gives access to it',
    only: ['BSC'],
    operations: ['cancelBooking', 'getBooking'],
    answer: (answer, call, memory) => {
      const result = resultOf(answer, call)
      const id = String(call.input.booking_id)
      if (result?.booking) memory.set(id, result)
      const canceled = asMembers(memory.get(id))
      const isDenied = call.operation === 'getBooking' && codeOf(answer, call) === 'authentication_required'
      const hasCredential = JSON.stringify([call.headers, call.input]).includes('bsc_')
      return isDenied && hasCredential && canceled ? withResult(answer, call, canceled) : undefined
    },
  },
  {
    name: 'The text of an MCP result repeats the credential',
    only: ['BSC', 'MCP'],
    operations: ['book', 'hold', 'joinWaitlist'],
    answer: (answer, call) => {
      const result = resultOf(answer, call)
      if (call.binding !== 'mcp' || !result?.booking_scoped_credential) return undefined
      const outer = asMembers(JSON.parse(answer.body)) ?? {}
      const content = [{ type: 'text', text: JSON.stringify(result) }]
      return { ...answer, body: JSON.stringify({ ...outer, result: { ...asMembers(outer.result), content } }) }
    },
  },
]
