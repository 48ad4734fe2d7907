import { expect, test } from 'vitest'
import { restRouteOf } from '../../src/protocol/define-operation.ts'
import { operations } from '../../src/server/all-operations.ts'
import { testShop } from '../support/desk.ts'
import { tableContents } from '../support/table-contents.ts'
import { shopDefinition } from './shop.ts'

const shop = await testShop(shopDefinition, {
  env: {
    USP_MODE: 'production',
    BASE_URL: 'https://book.example',
    DATABASE_URL: 'postgres://database.example/usp',
    USP_SECRET_KEY: 'x'.repeat(32),
    TRUST_PROXY: '10.0.0.0/8',
  },
})
const ofPeople = operations.filter(({ rest }) => /^\w+ \/(bookings|availability\/holds|waitlist)/.test(rest))

test.each(ofPeople.map((operation) => [operation.rest, operation] as const))(
  '[BKG-133] in production %s over plaintext is refused before anything of it is read',
  async (_, operation) => {
    const { method, path, inBody } = restRouteOf(operation)
    const before = await tableContents(shop.runtime.db)
    const url = `/usp/v1${path.replace(/\{\w+\}/g, 'bkg_none')}`
    const send = (payload: string | undefined) =>
      shop.raw({
        method,
        url,
        headers: { 'content-type': 'application/json', authorization: `Bearer ${shop.platform.bearer}` },
        ...(inBody && payload !== undefined && { payload }),
      })
    for (const payload of ['{"buyer":{"email":"alice@example.com"}}', 'no JSON at all', undefined]) {
      const { status, body } = await send(payload)
      expect([status, body.code, body.detail]).toEqual([400, 'invalid_request', expect.stringMatching(/https/i)])
    }
    expect(shop.logged.join('')).not.toContain('alice')
    expect(await tableContents(shop.runtime.db)).toEqual(before)
    // Over TLS the same call is read, and lacks the name of its platform.
    const secure = await shop.raw({
      method,
      url,
      headers: { 'x-forwarded-proto': 'https' },
      remoteAddress: '10.0.0.5',
    })
    expect(secure.body.code).toBe('authentication_required')
  },
)
