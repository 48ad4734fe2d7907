import { expect, test } from 'vitest'
import { businessWith, service } from '../support/definitions.ts'
import { type Platform, restProof, type TestKey, testKey, testPlatform } from '../support/platform.ts'
import { START, testServer } from '../support/server.ts'
import {
  changed,
  ORIGIN,
  type Outgoing,
  published,
  reading,
  SUBSCRIPTIONS,
  send,
  signed,
  subscribing,
} from '../support/sign.ts'

const server = await testServer(businessWith([service('svc_a')]))

type Prove = (outgoing: Outgoing, key: TestKey, keyid?: string) => Outgoing
const bySignature: Prove = (outgoing, key, keyid = 'k1') =>
  signed(outgoing, { key: key.private, parameters: `;keyid="${keyid}"` })
const byProof: Prove = (outgoing, key) =>
  changed(outgoing, { dpop: restProof(key, outgoing.method, `${ORIGIN}${outgoing.target}`, START) })

const subscribe = async (platform: Platform, key: TestKey, prove: Prove, keyid?: string) => {
  const { status, body } = await send(server, prove(subscribing(platform), key, keyid))
  expect(status).toBe(201)
  return body.subscription.id as string
}

/** What comes of the four moves on it; those that find it leave it canceled. */
const moves = async (platform: Platform, id: string, key: TestKey, prove: Prove, keyid?: string) => {
  const plain = reading(platform, id)
  const outgoing: Outgoing[] = [
    plain,
    { ...plain, method: 'POST', target: `${plain.target}/pause` },
    { ...plain, method: 'POST', target: `${plain.target}/resume` },
    { ...plain, method: 'DELETE' },
  ]
  const said: string[] = []
  for (const one of outgoing) {
    const { body } = await send(server, prove(one, key, keyid))
    said.push(body.code ?? body.subscription.status)
  }
  return said
}
const owner = ['active', 'paused', 'active', 'canceled']
const nobody = Array(4).fill('subscription_not_found')

test('[SIG-045] callers that prove themselves otherwise need no signature', async () => {
  const key = testKey()
  for (const platform of [await testPlatform(), await testPlatform({ keys: [published('k1', testKey())] })]) {
    const own = platform.profile.keys ? testKey() : key
    const id = await subscribe(platform, own, byProof)
    expect(await moves(platform, id, own, byProof)).toEqual(owner)
  }
})

test('[AUT-055] one key is one caller, whether it signs or makes proofs', async () => {
  for (const kind of ['ES256', 'EdDSA'] as const) {
    const key = testKey(kind)
    const platform = await testPlatform({ keys: [published('k1', key)] })
    expect(await moves(platform, await subscribe(platform, key, bySignature), key, byProof)).toEqual(owner)
    expect(await moves(platform, await subscribe(platform, key, byProof), key, bySignature)).toEqual(owner)
  }
})

test.each([
  ['keys', 'keys'],
  ['keys', 'signing_keys'],
  ['signing_keys', 'keys'],
])('[AUT-056] what was made under a key in %s is reached by another key in %s of the profile', async (from, to) => {
  const [old, young] = [testKey('ES256'), testKey('EdDSA')]
  const [first, last] = [published('old', old), published('young', young)]
  const platform = await testPlatform(from === to ? { [from]: [first, last] } : { [from]: [first], [to]: [last] })
  const id = await subscribe(platform, old, bySignature, 'old')
  expect(await moves(platform, id, young, bySignature, 'young')).toEqual(owner)
  const another = await subscribe(platform, young, bySignature, 'young')
  expect(await moves(platform, another, old, byProof)).toEqual(owner)
})

test('[AUT-056] the key that is added later reaches what the older one made, also when the older is gone', async () => {
  const [old, young] = [testKey(), testKey()]
  const platform = await testPlatform({ keys: [published('old', old)] })
  const first = await subscribe(platform, old, bySignature, 'old')
  platform.profile = { ...platform.profile, keys: [published('old', old), published('young', young)] }
  expect(await moves(platform, first, young, bySignature, 'young')).toEqual(owner)
  const second = await subscribe(platform, old, bySignature, 'old')
  platform.profile = { ...platform.profile, keys: [published('young', young)] }
  server.time.now = new Date(START.getTime() + 200_000)
  expect(await moves(platform, second, young, bySignature, 'young')).toEqual(owner)
  server.time.now = START
})

test('[AUT-057] what a key made before its profile published it, and another that never was, stay apart', async () => {
  const [early, never, young] = [testKey(), testKey(), testKey()]
  const platform = await testPlatform({ keys: [published('young', young)] })
  const ofEarly = await subscribe(platform, early, byProof)
  const ofNever = await subscribe(platform, never, byProof)
  expect(await moves(platform, ofEarly, young, bySignature, 'young')).toEqual(nobody)
  expect(await moves(platform, ofNever, young, bySignature, 'young')).toEqual(nobody)
  // The profile publishes it for a while, and the key calls: from then on it is one of the profile's.
  platform.profile = { ...platform.profile, keys: [published('early', early), published('young', young)] }
  server.time.now = new Date(START.getTime() + 200_000)
  expect((await send(server, bySignature(reading(platform, ofEarly), early, 'early'))).status).toBe(200)
  platform.profile = { ...platform.profile, keys: [published('young', young)] }
  server.time.now = new Date(START.getTime() + 400_000)
  expect(await moves(platform, ofEarly, young, bySignature, 'young')).toEqual(owner)
  expect(await moves(platform, ofNever, young, bySignature, 'young')).toEqual(nobody)
  server.time.now = START
})

test('[AUT-057] a proof key that is not published inherits nothing from those that are, and the reverse', async () => {
  const [key, own] = [testKey(), testKey()]
  const platform = await testPlatform({ keys: [published('k1', key)] })
  const ofPublished = await subscribe(platform, key, bySignature)
  const ofProof = await subscribe(platform, own, byProof)
  expect(await moves(platform, ofPublished, own, byProof)).toEqual(nobody)
  expect(await moves(platform, ofProof, key, bySignature)).toEqual(nobody)
  expect(await moves(platform, ofProof, testKey(), byProof)).toEqual(nobody)
  expect(await moves(platform, ofPublished, key, bySignature)).toEqual(owner)
  expect(await moves(platform, ofProof, own, byProof)).toEqual(owner)
})

test('[AUT-057] a key of another profile reaches nothing, and may not act for two profiles', async () => {
  const [mine, theirs] = [testKey(), testKey()]
  const platform = await testPlatform({ keys: [published('k1', mine)] })
  const id = await subscribe(platform, mine, bySignature)
  const other = await testPlatform({ keys: [published('k1', theirs), published('mine', mine)] })
  expect(await moves(other, id, theirs, bySignature)).toEqual(nobody)
  expect(await moves(other, id, mine, bySignature, 'mine')).toEqual(Array(4).fill('authentication_required'))
  expect(await moves(platform, id, mine, bySignature)).toEqual(owner)
  expect(reading(platform, id).target).toBe(`${SUBSCRIPTIONS}/${id}`)
})
