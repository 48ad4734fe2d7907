import { expect, test } from 'vitest'
import { familyOf } from '../../src/pipeline/limit-calls-per-caller.ts'
import { restRouteOf } from '../../src/protocol/define-operation.ts'
import { operations } from '../../src/server/all-operations.ts'

/** The first that an operation's address, or who may call it, fits. */
const families = [
  [/^staff /, 'staff'],
  [/ \/services\/feed\/subscriptions/, 'other'],
  [/ \/services/, 'catalogue'],
  [/ \/availability\/holds/, 'holds'],
  [/ \/availability/, 'availability'],
  [/ \/bookings/, 'bookings'],
  [/ \/(waitlist|registry)/, 'other'],
] as const

test.each(operations)('[calls are counted by what they are about] $id', (operation) => {
  const whose = operation.access === 'business_only' ? 'staff' : 'platforms'
  const [, family] = families.find(([form]) => form.test(`${whose} ${restRouteOf(operation).path}`)) ?? []
  expect(familyOf({ operation })).toBe(family)
})
