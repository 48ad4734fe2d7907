import { expect, test } from 'vitest'
import { deriveKey, unseal } from '../../src/core/keys/encrypt-secrets.ts'
import { ensureSigningKey } from '../../src/core/keys/signing-keys.ts'
import { START, testServer } from '../support/server.ts'

const SECRET = 'another secret key, of this file alone'

test('[SIG-060] [SIG-061] the private half of a signing key is stored sealed; the key is P-256, ES256, for signing', async () => {
  const { runtime } = await testServer()
  await runtime.db.deleteFrom('signing_keys').execute()
  await ensureSigningKey(runtime.db, SECRET, START)
  const [row] = await runtime.db.selectFrom('signing_keys').selectAll().execute()
  const published = row?.public_jwk as Record<string, string>
  expect(published).toMatchObject({ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig', kid: row?.kid })
  expect(published).not.toHaveProperty('d')

  const box = row?.private_jwk ?? Buffer.alloc(0)
  const opened = JSON.parse(unseal(deriveKey(SECRET, 'signing keys'), box))
  expect(opened).toMatchObject({ x: published.x, y: published.y, d: expect.any(String) })
  expect(box.includes(opened.d)).toBe(false)
  expect(() => unseal(deriveKey(`${SECRET}.`, 'signing keys'), box)).toThrow()
})

test('replicas that start together on an empty table make one key', async () => {
  const { runtime } = await testServer()
  await runtime.db.deleteFrom('signing_keys').execute()
  await Promise.all(Array.from({ length: 6 }, () => ensureSigningKey(runtime.db, SECRET, START)))
  expect(await runtime.db.selectFrom('signing_keys').select('kid').execute()).toHaveLength(1)
})
