import { expect, test } from 'vitest'
import { service } from '../support/definitions.ts'
import { expectAccepted, expectServiceFault, type FaultCase, offering, placesRefused, withMember } from './reading.ts'

const plain = service('svc_a')

test.each(['name', 'type', 'duration', 'pricing', 'channel', 'policies'])(
  '[DEF-002] a service without %s is refused',
  (member) => expectServiceFault(plain, member, undefined),
)

test('[DEF-002] a service without id is refused', () => {
  expectAccepted(offering(plain))
  expect(placesRefused(withMember(offering(plain), 'services[0].id', undefined))).toEqual(['services[0].id'])
})

test.each([
  ['appointment', {}],
  ['group', { capacity: { max: 8 } }],
  ['reservation', { capacity: { max: 8 } }],
  ['rental', {}],
  ['field_service', { channel: { type: 'at_buyer_location' as const } }],
])('[DEF-003] the core vertical %s is a type', (type, more) =>
  expectAccepted(offering(service('svc_a', { type, ...more }))),
)

test.each(['com.example.services.courses', 'org.my-vendor.lessons'])(
  '[DEF-004] the reverse-domain vertical %s is a type',
  (type) => expectAccepted(offering(service('svc_a', { type }))),
)

test.each(['haircut', 'Appointment', 'appointment ', '', 'com.', '.example.services', 'dev example services'])(
  '[DEF-005] the bare type "%s" is refused',
  (type) => expectServiceFault(plain, 'type', type),
)

test.each(['dev.usp-protocol.services.courses', 'dev.usp-protocol.services.appointment', 'dev.ucp.services.shopping'])(
  'the type %s is refused: the namespace is the protocol’s, and it defines no such type',
  (type) => expectServiceFault(plain, 'type', type),
)

test.each(['at_business_location', 'virtual', 'phone', 'hybrid'])(
  '[DEF-006] a field_service delivered %s is refused',
  (channel) =>
    expectServiceFault(
      service('svc_a', { type: 'field_service', channel: { type: 'at_buyer_location' } }),
      'channel.type',
      channel,
    ),
)

test.each(['at_business_location', 'at_buyer_location', 'virtual', 'phone', 'hybrid'] as const)(
  '[DEF-007] the channel type %s is accepted',
  (type) => expectAccepted(offering(service('svc_a', { channel: { type } }))),
)

const channelFaults: FaultCase[] = [
  ['[DEF-007] an unknown channel type is refused', 'channel.type', 'by_pigeon'],
  ['[DEF-007] a channel type in other letters is refused', 'channel.type', 'Virtual'],
  [
    '[DEF-008] the channel type in_person is unknown, not another word for at_business_location',
    'channel.type',
    'in_person',
  ],
  ['[DEF-009] a channel without type is refused', 'channel.type', undefined],
]
test.each(channelFaults)('%s', (_, path, wrong) => expectServiceFault(plain, path, wrong))

const open = service('svc_a', { status: 'active' })
test.each(['active', 'suspended', 'archived'] as const)('[DEF-070] the status %s is accepted', (status) =>
  expectAccepted(offering(service('svc_a', { status }))),
)
test.each(['paused', 'deleted', 'ACTIVE', '', null])('[DEF-070] the status %j is refused', (status) =>
  expectServiceFault(open, 'status', status),
)
