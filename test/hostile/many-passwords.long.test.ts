import { webcrypto } from 'node:crypto'
import { expect, test } from 'vitest'
import { hashPassword, newSalt } from '../../src/domain/accounts/hash-passwords.ts'
import { businessWith, service } from '../support/definitions.ts'
import { serverWithAllInterfaces } from '../support/server.ts'

const { subtle } = webcrypto

test('[no number of sign-ins keeps others waiting] a signature is checked while passwords are', async () => {
  const { publicKey, privateKey } = await subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, [
    'sign',
    'verify',
  ])
  const how = { name: 'ECDSA', hash: 'SHA-256' }
  const signature = await subtle.sign(how, privateKey, new Uint8Array(8))
  let done = 0
  const hashing = Array.from({ length: 12 }, () => hashPassword('a long password', newSalt()).then(() => done++))
  expect(await subtle.verify(how, publicKey, signature, new Uint8Array(8))).toBe(true)
  expect(done).toBeLessThan(2)
  await Promise.all(hashing)
})

test('[no number of sign-ins keeps others waiting] where too many come at once some are told to wait', async () => {
  const authorization = { identity_linking: true, accepted_mechanisms: ['oauth2_bearer' as const] }
  const server = await serverWithAllInterfaces(businessWith([service('svc_a')], { authorization }))
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const payload = String(new URLSearchParams({ email: 'ann@example.com', password: 'a long password' }))
  const signIn = (remoteAddress: string) =>
    server.app.inject({ method: 'POST', url: '/account', remoteAddress, headers, payload })
  const many = Promise.allSettled(Array.from({ length: 60 }, (_, nth) => hashPassword(`a password ${nth}`, newSalt())))
  const refused = await signIn('198.51.100.1')
  expect([refused.statusCode, Number(refused.headers['retry-after'])]).toEqual([503, 5])
  const hashed = (await many).filter(({ status }) => status === 'fulfilled')
  expect(hashed).toHaveLength(24)
  expect((await signIn('203.0.113.1')).statusCode).toBe(422)
})
