import { describe, expect, test } from 'vitest'
import { differences } from '../../src/domain/definition/compare-definitions.ts'
import { readDefinition } from '../../src/domain/definition/read-definition.ts'
import type { BusinessDefinition, OpeningWindow, Rota } from '../../src/protocol/types.generated.ts'
import { businessWith, service } from '../support/definitions.ts'
import { expectAccepted, expectFault, type FaultCase } from './reading.ts'

const early: OpeningWindow[] = [{ days: ['monday'], opens: '09:00', closes: '13:00' }]
const late: OpeningWindow[] = [{ days: ['monday'], opens: '13:00', closes: '18:00' }]
const rota = (...weeks: Rota['weeks']): Rota => ({ begins: '2026-11-02', weeks })

const withRota = (one: Rota, more: Partial<BusinessDefinition> = {}): BusinessDefinition =>
  businessWith([service('svc_a', { resources: [{ type: 'staff', selectable: true, options: ['res_ana'] }] })], {
    resources: [{ id: 'res_ana', type: 'staff', name: 'Ana', rota: one }],
    ...more,
  })
const business = withRota(rota({ hours: early }, { hours: late }))

const faults: FaultCase[] = [
  ['a rota has weeks', 'resources[res_ana].rota.weeks', []],
  ['a rota begins on a date', 'resources[res_ana].rota.begins', undefined],
  ['a rota stands in place of hours', 'resources[res_ana].hours', early, 'resources[res_ana].rota'],
  [
    'nobody goes home before coming in any of the weeks',
    'resources[res_ana].rota.weeks[1].hours[0].closes',
    '12:00',
    'resources[res_ana].rota.weeks[1].hours[0]',
  ],
]
test.each(faults)('%s', (_, path, wrong, named) => expectFault(business, path, wrong, named))

test('a week may be one off', () => expectAccepted(withRota(rota({ hours: early }, {}))))

describe('[nonsense] of weeks that alternate', () => {
  const warnings = (definition: BusinessDefinition) =>
    readDefinition(JSON.stringify(definition), 'business.json').warnings
  const off: Rota['weeks'] = [{}, {}, {}, {}]

  test('one that will do is enough', () =>
    expect(warnings(withRota(rota(...off, { hours: early }, ...off)))).toEqual([]))

  test('none that will do is warned of', () =>
    expect(warnings(withRota(rota(...off)))).toEqual([expect.stringMatching(/svc_a.*can never be booked/)]))

  test('two who are needed at once may meet in few of them', () => {
    const both = service('svc_both', {
      resources: [
        { type: 'staff', options: ['res_ana'] },
        { type: 'staff', options: ['res_bea'] },
      ],
    })
    const meeting = (weeks: Rota['weeks']): BusinessDefinition => ({
      ...businessWith([both]),
      resources: [
        { id: 'res_ana', type: 'staff', name: 'Ana', rota: rota({}, { hours: early }) },
        { id: 'res_bea', type: 'staff', name: 'Bea', rota: rota(...weeks) },
      ],
    })
    expect(warnings(meeting([{}, {}, { hours: early }]))).toEqual([])
    expect(warnings(meeting([{ hours: early }, {}]))).toEqual([expect.stringMatching(/svc_both.*can never be booked/)])
  })
})

test('what differs in one of the weeks is named', async () => {
  const after = withRota(rota({ hours: early }, { hours: [{ days: ['monday'], opens: '14:00', closes: '18:00' }] }))
  expect(await differences(business, after)).toEqual([
    { kind: 'changed', what: 'resource res_ana', details: ['rota.weeks[2].hours[monday].opens: "13:00" → "14:00"'] },
  ])
})
