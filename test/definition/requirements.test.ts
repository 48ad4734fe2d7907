import { test } from 'vitest'
import { service } from '../support/definitions.ts'
import { expectAccepted, expectServiceFault, type FaultCase, offering } from './reading.ts'

const staffed = service('svc_a', {
  resources: [
    { type: 'staff', name: 'Stylist', selectable: true, options: ['res_ana', 'res_bo'] },
    { type: 'room', options: ['res_room'] },
  ],
})

const faults: FaultCase[] = [
  ['[DEF-059] a requirement of an unknown type is refused', 'resources[1].type', 'vehicle'],
  ['[DEF-059] a requirement of a table, for which the protocol has no word, is refused', 'resources[1].type', 'table'],
  ['[DEF-059] a requirement without type is refused', 'resources[1].type', undefined],
  ['[DEF-060] a choice without options is refused', 'resources[0].options', undefined],
  ['[DEF-060] a choice between no options is refused', 'resources[0].options', []],
  [
    '[DEF-062] an option that the business does not have is refused',
    'resources[0].options[1]',
    'res_ghost',
    'resources[0].options',
  ],
  ['[DEF-062] an option of another type is refused', 'resources[0].options[1]', 'res_room', 'resources[0].options'],
  ['[DEF-062] an option given twice is refused', 'resources[0].options[1]', 'res_ana', 'resources[0].options'],
  [
    '[DEF-062] an unknown option is refused where the business chooses, too',
    'resources[1].options[0]',
    'res_ghost',
    'resources[1].options',
  ],
]
test.each(faults)('%s', (_, path, wrong, named) => expectServiceFault(staffed, path, wrong, named))

test.each(['staff', 'room', 'equipment', 'other'] as const)(
  '[DEF-059] [DEF-061] a %s may be required, without options',
  (type) => expectAccepted(offering(service('svc_a', { resources: [{ type }] }))),
)

test('[DEF-061] a requirement that is not selectable needs no options', () =>
  expectAccepted(offering(service('svc_a', { resources: [{ type: 'staff', selectable: false }] }))))

test('[DEF-062] the same option in two requirements is accepted', () =>
  expectAccepted(
    offering(
      service('svc_a', {
        resources: [
          { type: 'staff', name: 'Lead', options: ['res_ana', 'res_bo'] },
          { type: 'staff', name: 'Assistant', options: ['res_bo', 'res_ana'] },
        ],
      }),
    ),
  ))
