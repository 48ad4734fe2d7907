import { expect, test } from 'vitest'
import { asRecord } from '../../src/infra/util/object-members.ts'
import { selfContained } from '../../src/protocol/json-schemas.ts'
import { operations } from '../../src/server/all-operations.ts'

/** Members of answers that name a buyer or tell how to reach one. */
const PERSONAL = [
  'buyer',
  'recipient',
  'email',
  'emails',
  'phone_number',
  'phone_numbers',
  'note',
  'notes',
  'to',
  'delivery_address',
]

/** All members that a schema has, however deep, without those of the staff, who are not erased. */
function membersIn(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(membersIn)
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([keyword, child]) => {
    if (keyword !== 'properties') return membersIn(child)
    return Object.entries(asRecord(child)).flatMap(([name, one]) => (name === 'staff' ? [] : [name, ...membersIn(one)]))
  })
}

const changes = operations.filter(({ effect }) => effect !== 'read')
const namesPeople = ({ output }: (typeof changes)[number]) =>
  membersIn(selfContained(output)).some((name) => PERSONAL.includes(name))

test('there are operations of both kinds', () => {
  expect(changes.filter(namesPeople).length).toBeGreaterThan(20)
  expect(changes.filter((operation) => !namesPeople(operation)).length).toBeGreaterThan(10)
})

test.each(changes.map((operation) => [operation.id, operation] as const))(
  '[erased from kept answers] %s declares the people in its answer, or names none',
  (_, operation) => {
    expect(operation.people !== undefined).toBe(namesPeople(operation))
  },
)
