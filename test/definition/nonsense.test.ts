import { expect, test } from 'vitest'
import { readDefinition } from '../../src/domain/definition/read-definition.ts'
import type { BusinessDefinition, ServiceDefinition } from '../../src/protocol/types.generated.ts'
import { businessWith, service } from '../support/definitions.ts'

const { pricing } = service('svc_any')
const hours: BusinessDefinition['hours'] = [{ days: ['monday'], opens: '09:00', closes: '18:00' }]
const yoga: Partial<ServiceDefinition> = { type: 'group', capacity: { max: 5 } }

type Case = [what: string, service: Partial<ServiceDefinition>, warning: RegExp]
const cases: Case[] = [
  [
    'a class on a day when it is closed',
    { ...yoga, sessions: [{ days: ['monday', 'sunday'], starts: '10:00' }] },
    /sessions\[0\]\.days never takes place on sunday:/,
  ],
  [
    'a class that is only held when it is closed',
    { ...yoga, sessions: [{ days: ['sunday'], starts: '10:00' }] },
    /sessions\[0\] never takes place:/,
  ],
  ['a service longer than any opening', { duration: { fixed: 'PT10H' } }, /duration can never be booked:/],
  [
    'another currency than the business has',
    { pricing: { ...pricing, currency: 'EUR' } },
    /pricing\.currency is EUR, but the currency of the business is USD/,
  ],
  [
    'a price of less than half',
    { price_rules: [{ days: ['monday'], percent: 20 }] },
    /percent is 20: .* not 20 percent less/,
  ],
  [
    'a price outside of what the catalogue says',
    {
      pricing: { model: 'variable', amount: 7000, currency: 'USD', price_range: { min: 6000, max: 8000 } },
      price_rules: [{ season: { from: '2027-07-01' }, amount: 9000 }],
    },
    /price_rules\[0\]\.amount is 9000, outside of the price_range from 6000 to 8000/,
  ],
  [
    'a deposit of less than one percent',
    { pricing: { ...pricing, deposit: { type: 'percentage', value: 0.5, refundable: true } } },
    /deposit\.value is 0\.5 percent/,
  ],
]

test.each(cases)('[nonsense] %s is allowed, and warned of', (_, more, warning) => {
  const definition = businessWith([service('svc_a', more)], { hours })
  const { warnings } = readDefinition(JSON.stringify(definition), 'business.json')
  expect(warnings).toEqual([expect.stringMatching(warning)])
})

const ann = { id: 'staff_ann', type: 'staff' as const, name: 'Ann' }
const room = { id: 'room_1', type: 'room' as const, name: 'Room' }
const atAnn = { resources: [ann, room] }
const warningsOf = (more: Partial<ServiceDefinition>, business: Partial<BusinessDefinition> = atAnn) =>
  readDefinition(JSON.stringify(businessWith([service('svc_a', more)], { hours, ...business })), 'business.json')
    .warnings

test.each<[what: string, more: Partial<ServiceDefinition>]>([
  ['takes up nothing', {}],
  ['takes up a room alone', { resources: [{ type: 'room' }] }],
  ['is had at the buyer’s place', { type: 'field_service', channel: { type: 'at_buyer_location' } }],
])('[no person] a service that %s is warned of: it is sold while all of the staff are busy', (_, more) => {
  expect(warningsOf(more)).toEqual([
    expect.stringMatching(/services\[svc_a\]\.resources requires no staff: .* while all of them are busy/),
  ])
})

test.each<[what: string, more: Partial<ServiceDefinition>, business?: Partial<BusinessDefinition>]>([
  ['requires a person', { resources: [{ type: 'staff' }] }],
  ['is not offered now', { status: 'suspended' }],
  ['is a rental', { type: 'rental' }],
  ['is of a business without staff', {}, { resources: [room] }],
])('[no person] a service that %s is not warned of', (_, more, business) => {
  expect(warningsOf(more, business)).toEqual([])
})

const lengths = { range: { min: 'PT1H', max: 'PT4H', step: 'PT1H' } }

test('[fixed price] a rental of any length at one price is warned of', () => {
  expect(warningsOf({ type: 'rental', duration: lengths })).toEqual([
    expect.stringMatching(/pricing\.model is fixed: the longest rental costs as much as the shortest/),
  ])
  expect(warningsOf({ type: 'rental', duration: lengths, pricing: { ...pricing, model: 'hourly' } })).toEqual([])
  expect(warningsOf({ type: 'rental' })).toEqual([])
})

test('[nonsense] a class that is held once a month or once a year is not warned of', () => {
  const rules = ['FREQ=MONTHLY;BYDAY=3MO', 'FREQ=YEARLY;BYMONTH=9;BYDAY=1MO']
  const sessions = rules.map((rrule) => ({ starts: '10:00', rrule, from: '2026-11-01' }))
  expect(warningsOf({ ...yoga, resources: [{ type: 'staff' }], sessions })).toEqual([])
})

test('[nonsense] what makes sense is not warned of', () => {
  const fine = service('svc_a', {
    ...yoga,
    sessions: [{ days: ['monday'], starts: '10:00' }],
    price_rules: [{ percent: 80 }],
  })
  expect(readDefinition(JSON.stringify(businessWith([fine], { hours })), 'business.json').warnings).toEqual([])
})
