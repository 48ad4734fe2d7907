import { test } from 'vitest'
import { service } from '../support/definitions.ts'
import { expectAccepted, expectServiceFault, type FaultCase, offering } from './reading.ts'

const group = service('svc_a', { type: 'group', capacity: { min: 2, max: 8, waitlist: true } })
const reservation = service('svc_a', { type: 'reservation', capacity: { min: 1, max: 12, waitlist: false } })

const groupFaults: FaultCase[] = [
  ['[DEF-010] a group service without capacity is refused', 'capacity', undefined],
  ['[DEF-013] a capacity.min that is a string is refused', 'capacity.min', '2'],
  ['[DEF-013] a fractional capacity.min is refused', 'capacity.min', 1.5],
  ['[DEF-013] a capacity.max that is a string is refused', 'capacity.max', '8'],
  ['[DEF-013] a fractional capacity.max is refused', 'capacity.max', 8.5],
  ['[DEF-013] a capacity.waitlist that is a word is refused', 'capacity.waitlist', 'yes'],
  ['[DEF-013] a capacity.waitlist that is a number is refused', 'capacity.waitlist', 1],
  ['[DEF-014] a group service without capacity.max is refused', 'capacity.max', undefined],
  ['[DEF-014] a group of more at least than at most is refused', 'capacity.min', 9, 'capacity'],
  ['[DEF-014] a group of nobody is refused', 'capacity.max', 0],
]
test.each(groupFaults)('%s', (_, path, wrong, named) => expectServiceFault(group, path, wrong, named))

const reservationFaults: FaultCase[] = [
  ['[DEF-011] a reservation service without capacity is refused', 'capacity', undefined],
  ['[DEF-014] a reservation service without capacity.max is refused', 'capacity.max', undefined],
  ['[DEF-014] a reservation for more at least than at most is refused', 'capacity.min', 13, 'capacity'],
  ['[DEF-014] a reservation for fewer than nobody is refused', 'capacity.max', -1],
]
test.each(reservationFaults)('%s', (_, path, wrong, named) => expectServiceFault(reservation, path, wrong, named))

test('[DEF-014] a capacity with min equal to max is accepted', () =>
  expectAccepted(offering(service('svc_a', { type: 'group', capacity: { min: 8, max: 8 } }))))

test.each(['appointment', 'rental'])('[DEF-012] a service of type %s needs no capacity', (type) =>
  expectAccepted(offering(service('svc_a', { type }))),
)

test('[DEF-012] a field_service needs no capacity', () =>
  expectAccepted(offering(service('svc_a', { type: 'field_service', channel: { type: 'at_buyer_location' } }))))
