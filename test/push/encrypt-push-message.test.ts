import { createECDH } from 'node:crypto'
import { expect, test } from 'vitest'
import { encryptPushMessage, isPublicKey } from '../../src/core/push/encrypt-push-message.ts'
import { decryptPushMessage, testBrowserKeys } from './push-service.ts'

const bytes = (text: string) => Buffer.from(text, 'base64url')

test('[RFC 8291] the example of section 5 has the bytes of the RFC', () => {
  const own = createECDH('prime256v1')
  own.setPrivateKey(bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'))
  const encrypted = encryptPushMessage(
    Buffer.from('When I grow up, I want to be a watermelon'),
    {
      publicKey: bytes('BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'),
      secret: bytes('BTBZMqHH6r4Tts7J_aSIgg'),
    },
    { own, salt: bytes('DGv6ra1nlYgDCS1FRnbzlw') },
  )
  expect(encrypted.toString('base64url')).toBe(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  )
})

test('a message is encrypted anew each time, and its browser alone reads it', () => {
  const [keys, other] = [testBrowserKeys(), testBrowserKeys()]
  const [one, two] = [1, 2].map(() => encryptPushMessage(Buffer.from('Grüße'), keys))
  expect(one).not.toEqual(two)
  for (const message of [one, two]) expect(decryptPushMessage(message ?? Buffer.alloc(0), keys)).toBe('Grüße')
  expect(() => decryptPushMessage(one ?? Buffer.alloc(0), other)).toThrow()
})

test.each([
  ['a point of the curve', testBrowserKeys().publicKey, true],
  ['a point beside the curve', Buffer.alloc(65, 4), false],
  ['a shorter form', testBrowserKeys().publicKey.subarray(0, 33), false],
  ['nothing', Buffer.alloc(0), false],
])('a public key is %s', (_, key, expected) => {
  expect(isPublicKey(key)).toBe(expected)
})
