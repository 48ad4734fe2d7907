import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { sealingKeysOf } from '../../src/core/keys/encrypt-secrets.ts'
import { pushKey } from '../../src/core/push/push-key.ts'
import { pushShop } from './push-shop.ts'

const { shop, serverKey, signedIn, notified, subscriptions } = await pushShop()
const { db } = shop.runtime
const stored = () => db.selectFrom('push_key').selectAll().execute()

test('[the key for push notifications] is made at the first need, once, and stored encrypted', async () => {
  expect(await stored()).toEqual([])
  const people = await Promise.all(Array.from({ length: 4 }, () => signedIn('viewer')))
  const keys = await Promise.all(people.map(serverKey))
  const [row, ...others] = await stored()
  expect(others).toEqual([])
  expect(new Set(keys)).toEqual(new Set([row?.public_key]))
  expect(Buffer.from(keys[0] ?? '', 'base64url')).toHaveLength(65)
  expect(row?.private_jwk.includes('"d"')).toBe(false)
})

test('[the key for push notifications] is replaced after the secret key was lost, and the subscriptions end', async () => {
  await notified('staff')
  const [before] = await stored()
  const other = { ...shop.runtime, pushBox: sealingKeysOf('another secret key').push }
  const { publicKey } = await pushKey(other)
  expect(publicKey).not.toBe(before?.public_key)
  expect(await subscriptions()).toEqual([])
  expect((await pushKey(other)).publicKey).toBe(publicKey)
  await sql`delete from push_key`.execute(db)
})
