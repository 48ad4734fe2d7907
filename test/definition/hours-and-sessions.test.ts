import { test } from 'vitest'
import { service } from '../support/definitions.ts'
import { expectAccepted, expectFault, expectServiceFault, type FaultCase, offering } from './reading.ts'

const weekdays = { days: ['monday' as const, 'friday' as const], opens: '09:00', closes: '18:00' }
const business = {
  ...offering(service('svc_a')),
  hours: [weekdays],
  locations: [{ id: 'loc_one', name: 'Downtown', hours: [weekdays] }],
  closures: [{ from: '2026-12-24', to: '2026-12-26' }],
  resources: [
    {
      id: 'res_ana',
      type: 'staff' as const,
      name: 'Ana',
      hours: [weekdays],
      time_off: [{ from: '2026-12-01T09:00', to: '2026-12-01T12:00' }],
    },
  ],
}

const faults: FaultCase[] = [
  ['the business cannot close before it opens', 'hours[0].closes', '08:59', 'hours[0]'],
  [
    'a location cannot close when it opens',
    'locations[loc_one].hours[0].closes',
    '09:00',
    'locations[loc_one].hours[0]',
  ],
  ['nobody goes home before coming', 'resources[res_ana].hours[0].opens', '18:30', 'resources[res_ana].hours[0]'],
  ['a closure cannot end before it begins', 'closures[0].to', '2026-12-23', 'closures[0]'],
  [
    'time off cannot end before it begins',
    'resources[res_ana].time_off[0].to',
    '2026-12-01T08:00',
    'resources[res_ana].time_off[0]',
  ],
  [
    'time off cannot end the moment it begins',
    'resources[res_ana].time_off[0].to',
    '2026-12-01T09:00',
    'resources[res_ana].time_off[0]',
  ],
  ['a day of the week must be one', 'hours[0].days[0]', 'someday'],
  ['a time of day must be one', 'hours[0].opens', '9:00'],
  ['a member that nobody knows is refused', 'hours[0].lunch', '12:00'],
]
test.each(faults)('%s', (_, path, wrong, named) => expectFault(business, path, wrong, named))

test.each(['00:00', '24:00'])('hours may end with the day, at %s', (closes) =>
  expectAccepted({ ...business, hours: [{ ...weekdays, closes }] }),
)

const yoga = service('svc_yoga', {
  type: 'group',
  capacity: { max: 8 },
  sessions: [
    { starts: '18:00', days: ['monday'] },
    { starts: '10:00', rrule: 'FREQ=WEEKLY;INTERVAL=2;BYDAY=SA', from: '2026-11-21', until: '2027-06-30' },
  ],
})
const sessionFaults: FaultCase[] = [
  ['sessions belong to group services alone', 'type', 'appointment', 'sessions'],
  ['a session cannot end before it begins', 'sessions[1].until', '2026-11-20', 'sessions[1]'],
  ['a recurrence rule must be one of RFC 5545', 'sessions[1].rrule', 'every other Saturday'],
  ['nothing takes place at several hours of a day by one rule', 'sessions[1].rrule', 'FREQ=DAILY;BYHOUR=10,12'],
  ['nothing takes place at several minutes of an hour', 'sessions[1].rrule', 'FREQ=DAILY;BYMINUTE=0,30'],
  ['no other calendar is reckoned with', 'sessions[1].rrule', 'RSCALE=HEBREW;FREQ=DAILY;BYMONTHDAY=30'],
  ['a rule that could not be reckoned some day is refused at once', 'sessions[1].rrule', 'FREQ=DAILY;COUNT=30000'],
  ['a rule is one line', 'sessions[1].rrule', 'FREQ=DAILY\nRDATE:20261125T010000Z'],
  ['a recurrence rule must say from when', 'sessions[1].from', undefined],
]
test.each(sessionFaults)('%s', (_, path, wrong, named) => expectServiceFault(yoga, path, wrong, named))

test('a variable price cannot be negative', () => {
  const variable = service('svc_a', { pricing: { model: 'variable', amount: 0, currency: 'USD' } })
  expectServiceFault(variable, 'pricing.amount', -1)
})
