import { expect, test } from 'vitest'
import { operations } from '../../src/server/all-operations.ts'
import { testServer } from '../support/server.ts'
import { studio } from './studio.ts'

const whole = await testServer(studio)
const withoutStaff = await testServer(studio, {
  operations: operations.filter(({ access }) => access !== 'business_only'),
})

test('what the staff can do is advertised to no platform', async () => {
  const [one, other] = await Promise.all(
    [whole, withoutStaff].map(async (server) => (await server.rest('GET', '/.well-known/usp')).body),
  )
  expect(Object.keys(one.usp.capabilities)).toContain('dev.usp-protocol.services.bookings')
  expect([one.usp, one.authorization]).toEqual([other.usp, other.authorization])
})
