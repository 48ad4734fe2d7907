import { asMembers } from '../../caller/answer.ts'
import { bookingOf, codeOf, isConditional, keyOf, platformOf, resultOf, withBooking, withResult } from '../answers.ts'
import type { Fault } from '../fault.ts'

export const retryFaults: Fault[] = [
  {
    name: 'A booking repeated with its idempotency key gets HTTP 200',
    only: ['IDM', 'BKG'],
    operations: ['book'],
    answer: (answer) =>
      answer.headers['idempotency-replayed'] && answer.status === 201 ? { ...answer, status: 200 } : undefined,
  },
  {
    name: 'A booking repeated with its idempotency key gets its current state',
    only: ['IDM'],
    operations: ['book', 'cancelBooking'],
    result: (result, { operation }, memory) =>
      withBooking(result, (booking) => {
        if (operation === 'cancelBooking') memory.set(String(booking.id), booking)
        return asMembers(memory.get(String(booking.id)))
      }),
  },
  {
    name: 'Idempotency keys are separate for each operation',
    only: ['IDM', 'BKG'],
    headers: (headers, { operation }) =>
      headers['idempotency-key'] && operation
        ? { ...headers, 'idempotency-key': `${operation}-${headers['idempotency-key']}`.slice(0, 255) }
        : headers,
  },
  {
    name: 'Idempotency keys are separate for each booking',
    only: ['IDM', 'BKG'],
    operations: ['cancelBooking', 'reschedule', 'updateBooking', 'confirmPayment'],
    headers: (headers, { input }) =>
      headers['idempotency-key']
        ? { ...headers, 'idempotency-key': `${input.booking_id}-${headers['idempotency-key']}`.slice(0, 255) }
        : headers,
  },
  {
    name: 'The operation to join the waitlist ignores idempotency keys',
    only: ['IDM', 'WTL'],
    operations: ['joinWaitlist'],
    headers: ({ 'idempotency-key': _, ...headers }) => headers,
  },
  {
    name: 'Two platforms with the same idempotency key get the same answer',
    only: ['IDM', 'BKG'],
    operations: ['book'],
    answer: (answer, call, memory) => {
      const key = keyOf(call)
      const result = resultOf(answer, call)
      if (key === undefined || !result?.booking) return undefined
      const first = asMembers(memory.get(key)) ?? { result, platform: platformOf(call) }
      memory.set(key, first)
      return first.platform === platformOf(call)
        ? undefined
        : withResult(answer, call, asMembers(first.result) ?? {}, answer.status)
    },
  },
]

export const revisionFaults: Fault[] = [
  {
    name: 'A reschedule ignores If-Match',
    only: ['REV'],
    operations: ['reschedule'],
    headers: ({ 'if-match': _, ...headers }) => headers,
  },
  {
    name: 'A call with a revision for an unknown booking gets revision_mismatch',
    only: ['REV'],
    answer: (answer, call) => {
      if (codeOf(answer, call) !== 'booking_not_found' || !isConditional(call) || call.binding !== 'rest')
        return undefined
      const type = 'https://usp-protocol.dev/errors/revision-mismatch'
      const body = JSON.stringify({ type, title: 'Precondition Failed', status: 412, code: 'revision_mismatch' })
      return {
        ...answer,
        status: 412,
        headers: { ...answer.headers, 'content-type': 'application/problem+json' },
        body,
      }
    },
  },
  {
    name: 'A waitlist entry keeps its revision when its position changes',
    only: ['REV', 'WTL'],
    operations: ['joinWaitlist', 'getEntry'],
    result: (result, _, memory) => {
      const entry = asMembers(result.entry)
      if (!entry) return undefined
      const state = `${entry.id} ${entry.status}`
      const revision = memory.get(state) ?? entry.revision
      memory.set(state, revision)
      return { ...result, entry: { ...entry, revision } }
    },
  },
  {
    name: 'The answer to a payment report shows the old revision',
    only: ['REV', 'PAY'],
    operations: ['book', 'confirmPayment'],
    result: (result, { operation }, memory) => {
      const { id, revision } = bookingOf(result)
      if (operation === 'book') memory.set(String(id), revision)
      return withBooking(result, (booking) => ({ ...booking, revision: memory.get(String(id)) ?? revision }))
    },
  },
]
