import { describe, expect, test } from 'vitest'
import { readDefinition } from '../../src/domain/definition/read-definition.ts'
import type { BusinessDefinition, OpeningWindow, SpecialHours } from '../../src/protocol/types.generated.ts'
import { businessWith, service } from '../support/definitions.ts'
import { expectAccepted, expectFault, type FaultCase } from './reading.ts'

const hours: OpeningWindow[] = [{ days: ['monday'], opens: '09:00', closes: '18:00' }]
const christmas: SpecialHours = { from: '2026-12-24', opens: '09:00', closes: '13:00' }
const business: BusinessDefinition = businessWith([service('svc_a', { resources: [{ type: 'staff' }] })], {
  hours,
  locations: [{ id: 'loc_one', name: 'Downtown' }],
  special_hours: [{ ...christmas, locations: ['loc_one'] }],
  resources: [{ id: 'res_ana', type: 'staff', name: 'Ana', special_hours: [christmas] }],
})

const faults: FaultCase[] = [
  ['a special day cannot close before it opens', 'special_hours[0].closes', '08:00', 'special_hours[0]'],
  ['special days cannot end before they begin', 'special_hours[0].to', '2026-12-23', 'special_hours[0]'],
  [
    'a special day is one of a place that there is',
    'special_hours[0].locations[0]',
    'loc_two',
    'special_hours[0].locations',
  ],
  ['a special day is a date', 'special_hours[0].from', '2026-12-24T09:00'],
  [
    'nobody goes home before coming on a special day',
    'resources[res_ana].special_hours[0].closes',
    '09:00',
    'resources[res_ana].special_hours[0]',
  ],
  [
    'the special days of a person cannot end before they begin',
    'resources[res_ana].special_hours[0].to',
    '2026-12-23',
    'resources[res_ana].special_hours[0]',
  ],
]
test.each(faults)('%s', (_, path, wrong, named) => expectFault(business, path, wrong, named))

test('special days are accepted, with and without an end', () => {
  expectAccepted(business)
  expectAccepted({ ...business, special_hours: [{ ...christmas, to: '2026-12-24', closes: '00:00' }] })
})

describe('[nonsense] special days', () => {
  const warnings = (more: Partial<BusinessDefinition>) =>
    readDefinition(JSON.stringify({ ...business, ...more }), 'business.json').warnings
  const ana = { id: 'res_ana', type: 'staff' as const, name: 'Ana', hours }

  test('that make sense are not warned of', () => expect(warnings({})).toEqual([]))

  test('on which nobody works are warned of', () => {
    expect(warnings({ resources: [ana] })).toEqual([
      expect.stringMatching(
        /special_hours\[0\] opens when no staff work: the people who work on 2026-12-24 need special_hours/,
      ),
    ])
    expect(warnings({ resources: [ana, { id: 'res_ben', type: 'staff', name: 'Ben' }] })).toEqual([])
  })

  test.each<[string, Partial<BusinessDefinition>]>([
    ['it is closed', { special_hours: [] }],
    ['it is closed by way of exception', { closures: [{ from: '2026-12-20', to: '2026-12-26' }], special_hours: [] }],
    [
      'they are away',
      { resources: [{ ...ana, special_hours: [christmas], time_off: [{ from: '2026-12-24', to: '2026-12-24' }] }] },
    ],
  ])('of a person when %s are warned of', (_, more) => {
    expect(warnings(more)).toContainEqual(
      expect.stringMatching(/resources\[res_ana\]\.special_hours\[0\] has no effect/),
    )
  })

  test('are the only ones of a service and of a class', () => {
    const never = { hours: [], resources: [] }
    const yoga = service('svc_yoga', {
      type: 'group',
      capacity: { max: 3 },
      sessions: [{ days: ['thursday'], starts: '10:00', from: '2026-12-24', until: '2026-12-24' }],
    })
    const services = [service('svc_a'), yoga]
    expect(warnings({ ...never, services })).toEqual([])
    const none = warnings({ ...never, services, special_hours: [] })
    expect(none).toEqual([
      expect.stringMatching(/svc_a.*can never be booked/),
      expect.stringMatching(/svc_yoga.*never takes place/),
    ])
  })
})
