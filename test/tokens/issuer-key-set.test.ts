import { exportJWK, generateKeyPair, type JSONWebKeySet, jwtVerify, SignJWT } from 'jose'
import { beforeEach, expect, test } from 'vitest'
import { keySet } from '../../src/core/tokens/issuer-key-set.ts'

const { publicKey, privateKey } = await generateKeyPair('ES256')
const published = { keys: [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256' }] }
const signed = (kid: string) => new SignJWT({}).setProtectedHeader({ alg: 'ES256', kid }).sign(privateKey)
const token = await signed('one')

let now = 0
let attempts: PromiseWithResolvers<{ keys: JSONWebKeySet }>[] = []
beforeEach(() => {
  attempts = []
})

/** Keys whose issuer answers when the test says so. */
function keys() {
  const set = keySet(
    () => {
      const attempt = Promise.withResolvers<{ keys: JSONWebKeySet }>()
      attempts.push(attempt)
      return attempt.promise
    },
    () => new Date(now),
  )
  return { ...set, verify: (text = token) => jwtVerify(text, set.find) }
}
const answer = () => attempts.at(-1)?.resolve({ keys: published })
const fail = () => attempts.at(-1)?.reject(new Error('The issuer is away'))
const turn = () => new Promise(setImmediate)

async function read() {
  const set = keys()
  set.lastRead()
  answer()
  await turn()
  return set
}

test('[the pause after a failure counts from the end of the attempt, however long that took]', async () => {
  const set = keys()
  const call = set.verify()
  now += 10_000
  fail()
  await expect(call).rejects.toThrow('away')
  for (const wait of [0, 4_000, 1_000]) {
    now += wait
    await expect(set.verify()).rejects.toThrow('away')
    expect(set.lastRead()).toBeUndefined()
  }
  expect(attempts).toHaveLength(1)
  now += 1
  set.lastRead()
  expect(attempts).toHaveLength(2)
})

test('[what was read last is told at once, also while it is read anew]', async () => {
  const set = await read()
  now += 5 * 60_000 + 1
  expect(set.lastRead()?.keys).toBe(published)
  expect(set.lastRead()?.keys).toBe(published)
  expect(attempts).toHaveLength(2)
})

test('[keys that are old wait for the issuer once; when it fails they serve on, and are asked for each minute]', async () => {
  const set = await read()
  now += 5 * 60_000 + 1
  let served = false
  const call = set.verify().finally(() => {
    served = true
  })
  await turn()
  expect(served).toBe(false)
  fail()
  await call
  now += 60_000
  await set.verify()
  expect(attempts).toHaveLength(2)
  now += 1
  await set.verify()
  await set.verify()
  expect(attempts).toHaveLength(3)
})

test('[a token that names an unknown key holds up nobody whose key is known]', async () => {
  const set = await read()
  now += 60_001
  const nonsense = set.verify(await signed('other'))
  await expect.poll(() => attempts.length).toBe(2)
  await set.verify()
  answer()
  await expect(nonsense).rejects.toThrow('no applicable key')
})

test('[a slow issuer shuts nobody out] few calls wait for it, the others are told at once', async () => {
  const set = keys()
  const calls = Array.from({ length: 50 }, () =>
    set.verify().then(
      () => 'good',
      ({ code }) => code,
    ),
  )
  await turn()
  answer()
  const said = await Promise.all(calls)
  expect([
    said.filter((one) => one === 'good').length,
    said.filter((one) => one === 'service_unavailable').length,
  ]).toEqual([20, 30])
  await set.verify()
  now += 60_001
  const other = await signed('other')
  const others = Array.from({ length: 50 }, () => set.verify(other).catch(({ code }) => code))
  await expect.poll(() => attempts.length).toBe(2)
  answer()
  expect((await Promise.all(others)).filter((code) => code === 'service_unavailable')).toHaveLength(30)
})

test('[keys are read anew before they are too old, while nobody waits]', async () => {
  const set = await read()
  now += 4 * 60_000 + 1
  await set.verify()
  expect(attempts).toHaveLength(2)
  await set.verify()
  expect(attempts).toHaveLength(2)
})
