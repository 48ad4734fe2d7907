import { randomUUID } from 'node:crypto'
import { type Answer, asMembers, type Members } from '../../caller/answer.ts'
import { digestOf } from '../../caller/message-signature.ts'
import {
  type MessageSignature,
  publishedKeys,
  readSignature,
  type SignedMessage,
  verifySignature,
} from '../../caller/verify-signature.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual, expectList, expectTrue } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { check } from '../check.ts'
import { bookAndReceiveCancellation } from '../events/event-causes.ts'
import { WEBHOOK_COMPONENTS } from '../events/event-signatures.ts'
import { signedMessageOf } from '../events/received-events.ts'

const needs = ['services.bookings']
const CREATED_TOLERANCE_SECONDS = 60
const ANSWER_COMPONENTS = ['@status', 'content-digest', 'content-type']

export const signedByBusinessChecks = [
  check(
    'SIG-046 SIG-047 SIG-050 SIG-051',
    'The business signs a webhook and its digest with an ES256 key of its profile',
    async (c) => {
      const { value, parameters, key } = expectSignedByProfile(await webhookOfBooking(c), await currentProfile(c))
      expectEqual({ kty: key.kty, crv: key.crv }, { kty: 'EC', crv: 'P-256' }, 'the type of the key')
      expectEqual(value.length, 64, 'the number of bytes in the signature')
      expectEqual(parameters.alg ?? 'ecdsa-p256-sha256', 'ecdsa-p256-sha256', 'alg')
    },
    { needs },
  ),
  check(
    'SIG-048 SIG-049',
    'The signature of a webhook covers the request, and contains the time of signing as a parameter',
    async (c) => {
      const { components, parameters } = readOnlySignature(await webhookOfBooking(c))
      const missing = WEBHOOK_COMPONENTS.filter((name) => !components.includes(name))
      expectEqual(missing, [], 'the required components that the signature does not cover')
      expectEqual(components.includes('@created'), false, 'the presence of @created among the components')
      const age = Math.abs(Date.now() / 1000 - Number(parameters.created))
      expectTrue(age < CREATED_TOLERANCE_SECONDS, 'created at the time of sending', parameters.created)
    },
    { needs },
  ),
  check(
    'SIG-061',
    'All keys of the business are for ES256',
    async ({ target: { profile } }) => {
      const keys = expectList(profile.keys ?? [], 'keys')
      // The protocol recommends ES256, but allows other algorithms.
      if (keys.every(({ kty }) => kty === 'OKP')) throw new Skip('The business has no ES256 keys.')
      for (const { kty, crv, alg, use } of keys)
        expectEqual({ kty, crv, alg, use }, { kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig' }, 'a key')
    },
    { once: true },
  ),
  check(
    'SIG-062 SIG-063',
    'The business signs the answer to a booking, and the repeated answer',
    async (c) => {
      const input = c.bookingOf(await c.slot(c.simpleService))
      const idempotencyKey = randomUUID()
      const profile = await currentProfile(c)
      for (let sending = 1; sending <= 2; sending++) {
        const answer = await c.caller.call('book', input, { idempotencyKey })
        const booking = answer.success().booking as Members
        if (sending === 1) c.cancelAfterwards(booking)
        if (answer.headers.signature === undefined) throw new Skip('The business does not sign its answers.')
        const { components } = expectSignedByProfile(signedAnswer(answer), profile)
        const missing = ANSWER_COMPONENTS.filter((name) => !components.includes(name))
        expectEqual(missing, [], 'the required components that the signature does not cover')
        expectEqual(components.includes('@method'), false, 'the presence of @method among the components')
      }
    },
    { needs, only: 'rest' },
  ),
]

/** Makes and cancels a booking. Returns the webhook that the business then sends. */
async function webhookOfBooking(c: CheckContext): Promise<SignedMessage> {
  const { received } = await bookAndReceiveCancellation(c)
  return signedMessageOf(c.platform.hosted, received)
}

const signedAnswer = ({ headers, text, status }: Answer): SignedMessage => ({
  headers,
  body: text,
  derived: { '@status': String(status) },
})

function readOnlySignature(message: SignedMessage): MessageSignature {
  const signature = readSignature(message)
  expectEqual(signature.labels.length, 1, 'the number of signatures')
  return signature
}

/**
 * Requires exactly one signature, by a key of the profile. The header `Content-Digest` must contain only the
 * digest of the body.
 */
function expectSignedByProfile(message: SignedMessage, profile: Members) {
  readOnlySignature(message)
  const signature = verifySignature(message, publishedKeys(profile))
  expectEqual(message.headers['content-digest'], digestOf(message.body), 'Content-Digest')
  return signature
}

/** Reads the current profile of the business, because a business may change its keys. */
async function currentProfile({ anonymous, target }: CheckContext): Promise<Members> {
  return asMembers((await anonymous.request('GET', target.profileUrl)).json) ?? {}
}
