import { afterAll, expect, test } from 'vitest'
import type { Check } from '../../packages/conformance/checks/check.ts'
import { confirmationRepeatChecks } from '../../packages/conformance/checks/transactions/confirmation-repeats.ts'
import { lastSpotChecks } from '../../packages/conformance/checks/transactions/last-spots.ts'
import { codeOf, success, withBooking, withRefusal } from '../../packages/conformance/mutants/answers.ts'
import type { Fault } from '../../packages/conformance/mutants/fault.ts'
import { vectorRaces } from '../../packages/conformance/races/vector-races.ts'
import { proxiedServer } from './proxied-server.ts'

const server = await proxiedServer()
afterAll(() => server.stop())

const isFull: NonNullable<Fault['answer']> = (answer, call) =>
  codeOf(answer, call) === 'slot_unavailable' ? answer : undefined

test('[conformance suite] proves the vectors flow/102 and flow/105, and repeats the race of flow/102', async () => {
  const [lastSpot] = vectorRaces(5)
  const findings = await server.run([...lastSpotChecks, ...confirmationRepeatChecks, ...(lastSpot ? [lastSpot] : [])])
  expect(findings.filter(({ result }) => result !== 'proven')).toEqual([])
  expect(findings).toHaveLength(7)
})

test.each<[string, Check[], Omit<Fault, 'name' | 'only'>]>([
  [
    'grants the last spot twice',
    lastSpotChecks,
    {
      operations: ['hold'],
      answer: (answer, call) =>
        isFull(answer, call, new Map()) &&
        success(answer, call, { hold: { id: 'hold_2', status: 'active', spots: 1 } }),
    },
  ],
  [
    'says capacity_exceeded for a full slot',
    lastSpotChecks,
    {
      operations: ['hold'],
      answer: (answer, call) => isFull(answer, call, new Map()) && withRefusal(answer, call, 'capacity_exceeded'),
    },
  ],
  [
    'changes a booking that is confirmed again',
    confirmationRepeatChecks,
    {
      operations: ['getBooking'],
      result: (result) => withBooking(result, (booking) => ({ ...booking, revision: 'another' })),
    },
  ],
])('[conformance suite] finds a server that %s', async (name, checks, fault) => {
  const findings = await server.run(checks, { ...fault, name, only: [] })
  expect(findings.map(({ result }) => result)).toContain('failed')
})
