import { describe, expect, test } from 'vitest'
import { credentialsOf } from '../../packages/client/booking-credentials.ts'
import { callerOf } from '../../packages/client/call-business.ts'
import { generateKey, publishedKey } from '../../packages/client/index.ts'
import { read, write } from '../../packages/client/operation-routes.ts'
import { renewScopedCredential } from '../../src/core/authentication/booking-scoped-credentials.ts'
import { defineOperation, type ObjectSchema } from '../../src/protocol/define-operation.ts'
import { shape } from '../../src/protocol/json-schemas.ts'
import { businessWith, service } from '../support/definitions.ts'
import { testPlatform } from '../support/platform.ts'
import { openBusiness } from './business.ts'

const booking: ObjectSchema = {
  type: 'object',
  required: ['booking'],
  properties: { booking: { type: 'object' }, booking_scoped_credential: shape('BookingScopedCredential') },
}
const common = {
  title: 'Booking',
  description: 'A booking that is not kept.',
  capability: 'dev.usp-protocol.services.catalog',
  output: booking,
  summary: () => 'Done.',
} as const

interface Booked {
  input: { booking_id: string }
  output: { booking: { id: string; mechanism: string }; booking_scoped_credential?: object }
}

const create = defineOperation<Booked>({
  ...common,
  id: 'createBooking',
  rest: 'POST /bookings',
  tool: 'usp_bookings_create',
  access: 'privileged_platform',
  effect: 'create',
  input: { type: 'object', required: ['booking_id'], properties: { booking_id: { type: 'string' } } },
  async handle({ input: { booking_id: id }, caller, db, now }) {
    const tomorrow = new Date(now.getTime() + 24 * 3_600_000)
    const credential = await renewScopedCredential(db, { kind: 'booking', id }, caller, {
      expiresAt: tomorrow,
      zone: 'UTC',
    })
    return {
      booking: { id, mechanism: caller.mechanism },
      ...(credential && { booking_scoped_credential: credential }),
    }
  },
})

const get = defineOperation<Booked>({
  ...common,
  id: 'getBooking',
  rest: 'GET /bookings/{booking_id}',
  tool: 'usp_bookings_get',
  access: 'privileged_scoped',
  effect: 'read',
  resource: ({ booking_id: id }) => ({ kind: 'booking', id }),
  input: { type: 'object', required: ['booking_id'], properties: { booking_id: { type: 'string' } } },
  handle: async ({ input: { booking_id: id }, caller: { mechanism } }) => ({ booking: { id, mechanism } }),
})

const business = await openBusiness(businessWith([service('svc_a')]), { operations: [create, get] })
const key = await generateKey('ES256')
const platform = await testPlatform({ keys: [await publishedKey(key)] })

const forms = (['rest', 'mcp'] as const).flatMap((binding) =>
  (['proof', 'signature'] as const).map((authentication) => ({ binding, authentication })),
)

test.each(forms)(
  'over $binding with a $authentication the credential of a booking opens that booking alone',
  async ({ binding, authentication }) => {
    const call = callerOf({ baseUrl: business.url, platformProfile: platform.url, key, authentication, binding })
    const own = authentication === 'proof' ? 'platform_key_pop' : 'http_message_signature'
    const id = crypto.randomUUID()
    const getRoute = read<Booked>('GET /bookings/{booking_id}', 'usp_bookings_get', 'booking_id')
    const made = await call(write<Booked>('POST /bookings', 'usp_bookings_create'), { booking_id: id })
    expect(made.booking).toEqual({ id, mechanism: own })
    expect(await call(getRoute, { booking_id: id })).toMatchObject({
      booking: { mechanism: 'booking_scoped_credential' },
    })
    expect(await call(getRoute, { booking_id: 'another' })).toMatchObject({ booking: { mechanism: own } })

    // One that has ended with its booking is forgotten: the platform proves itself as before.
    await business.runtime.db.deleteFrom('scoped_credentials').execute()
    for (const _ of [1, 2])
      expect(await call(getRoute, { booking_id: id })).toMatchObject({ booking: { id, mechanism: own } })
  },
)

test('who is refused without a credential is refused for good', async () => {
  const elsewhere = await testPlatform()
  const call = callerOf({ baseUrl: business.url, platformProfile: elsewhere.url, key })
  const getRoute = read<Booked>('GET /bookings/{booking_id}', 'usp_bookings_get', 'booking_id')
  await expect(call(getRoute, { booking_id: 'b' })).rejects.toMatchObject({ code: 'authentication_required' })
})

describe('of the credentials that a business issues', () => {
  const now = new Date('2026-11-20T12:00:00Z')
  const good = { value: 'bsc_0123456789abcdef01234567', expires_at: '2026-11-21T12:00:00Z' }
  const found = (issued: unknown, tool = 'usp_bookings_get') => {
    const credentials = credentialsOf('mine')
    credentials.keep({ booking: { id: 'b' }, booking_scoped_credential: issued })
    return credentials.find('b', tool, now)
  }

  test.each([
    ['an unbound one', good],
    ['one bound to our key', { ...good, cnf: { jkt: 'mine' } }],
    ['one that is good for the tool', { ...good, scope: ['usp_bookings_get'] }],
  ])('%s is shown', (_, issued) => {
    expect(found(issued)).toEqual(issued)
  })

  test.each([
    ['one bound to another key', { ...good, cnf: { jkt: 'theirs' } }],
    ['one that has expired', { ...good, expires_at: '2026-11-20T12:00:00Z' }],
    ['one that is good for another tool', { ...good, scope: ['usp_bookings_cancel'] }],
    ['one with a member that nobody knows', { ...good, aud: 'x' }],
    ['one without a value', { expires_at: good.expires_at }],
    ['none', undefined],
  ])('%s is not', (_, issued) => {
    expect(found(issued)).toBeUndefined()
  })
})
