import { randomUUID } from 'node:crypto'
import { signatureKeyOf } from '../../caller/caller.ts'
import type { KeyPair } from '../../caller/key-pair.ts'
import { digestOf, type SignatureOptions, signatureHeaders } from '../../caller/message-signature.ts'
import { expectEqual } from '../../run/expectations.ts'
import { bookingOf } from '../transactions/slots-and-bookings.ts'
import { proofAndSignatureCheck, requireAlgorithm, signatureCheck } from './mechanism-check.ts'
import {
  callerWithES256,
  expectAccepted,
  expectBadRequest,
  expectRefused,
  probe,
  probeWrite,
  secondsNow,
  signed,
} from './probe.ts'
import { type RequestChange, sameRequest, withHeaders } from './request-changes.ts'

const only = { only: 'rest' } as const
const OTHER_BODY = '{"reason":"Other"}'

/** The name, in RFC 9421, of an algorithm that the key does not have. */
const otherAlg = ({ algorithm }: KeyPair) => (algorithm === 'ES256' ? 'ed25519' : 'ecdsa-p256-sha256')

/** Each row: the rule, a part of the title, the expected error code, and options for an invalid signature. */
const faults: [rules: string, title: string, code: string, options: (key: KeyPair) => SignatureOptions][] = [
  [
    'SIG-017',
    'a changed bit',
    'signature_invalid',
    () => ({ change: (bytes) => bytes.fill((bytes[9] ?? 0) ^ 1, 9, 10) }),
  ],
  ['SIG-025', 'an unknown keyid', 'key_not_found', () => ({ keyid: 'key_of_nobody' })],
  ['SIG-026', 'no keyid', 'key_not_found', () => ({ keyid: null })],
  [
    'SIG-029',
    'an alg that contradicts the key',
    'signature_invalid',
    (key) => ({ parameters: `;alg="${otherAlg(key)}"` }),
  ],
  ['SIG-035', 'an expiry time in the past', 'signature_expired', () => ({ parameters: ';expires=1' })],
]

/** Each row: the rule, a part of the title, the expected error code, and a change of the request after signing. */
const tampered: [rules: string, title: string, code: string, change: RequestChange][] = [
  ['SIG-015', 'Signature-Input but without Signature', 'signature_missing', withHeaders({ signature: null })],
  ['SIG-015', 'Signature but without Signature-Input', 'signature_missing', withHeaders({ 'signature-input': null })],
  [
    'SIG-016',
    'a Signature-Input that is not a structured field',
    'signature_invalid',
    withHeaders({ 'signature-input': 'sig1=(' }),
  ],
  ['SIG-016', 'a Signature that is not a byte sequence', 'signature_invalid', withHeaders({ signature: 'sig1=AAAA' })],
  [
    'SIG-021',
    'another body and Content-Digest than at signing',
    'signature_invalid',
    (request) => withHeaders({ 'content-digest': digestOf(OTHER_BODY) })({ ...request, body: OTHER_BODY }),
  ],
]

/**
 * Each row: the rule, the beginning of the title, and a change of the body. The suite makes this change after it has
 * computed the digest.
 */
const otherBodies: [rules: string, title: string, change: (body: string) => string][] = [
  ['SIG-020', 'A body that differs from its Content-Digest', (body) => body.replace('None', 'Other')],
  ['SIG-022', 'A body in another spelling than its Content-Digest', (body) => body.replace('{', '{ ')],
]

export const signatureFormChecks = [
  ...faults.map(([rules, title, code, options]) =>
    signatureCheck(
      rules,
      `A signature with ${title} gets ${code}`,
      async ({ sharedPlatform: { caller, hosted } }) =>
        expectRefused(await probeWrite(caller, signed(options(signatureKeyOf(hosted)))), code),
      only,
    ),
  ),
  signatureCheck(
    'SIG-019',
    'A signature with the encoding DER gets signature_invalid',
    async (c) => {
      requireAlgorithm(c, 'signature', 'ES256')
      expectRefused(await probeWrite(callerWithES256(c), signed({ encoding: 'der' })), 'signature_invalid')
    },
    only,
  ),
  ...tampered.map(([rules, title, code, change]) =>
    signatureCheck(
      rules,
      `A signed request with ${title} gets ${code}`,
      async ({ sharedPlatform: { caller } }) => expectRefused(await probeWrite(caller, { ...signed(), change }), code),
      only,
    ),
  ),
  ...otherBodies.map(([rules, title, changeBody]) =>
    signatureCheck(
      rules,
      `${title} gets digest_mismatch`,
      async ({ sharedPlatform: { caller } }) => {
        const change: RequestChange = (request) => ({ ...request, body: changeBody(request.body ?? '') })
        expectBadRequest(await probeWrite(caller, { ...signed(), change }), 'digest_mismatch')
      },
      only,
    ),
  ),
  signatureCheck(
    'SIG-023',
    'Content-Digest must have a sha-256 member, and may have other members',
    async ({ sharedPlatform: { caller } }) => {
      const digest = (usual: string) => `x-other=:AAAA:, ${usual}`
      expectAccepted(await probeWrite(caller, signed({ digest })))
      expectBadRequest(await probeWrite(caller, signed({ digest: () => 'x-other=:AAAA:' })), 'digest_mismatch')
    },
    only,
  ),
  proofAndSignatureCheck(
    'SIG-024',
    'The server refuses an unsigned request with a wrong Content-Digest',
    async ({ sharedPlatform: { caller } }) => {
      const headers = { 'content-digest': digestOf(OTHER_BODY) }
      expectBadRequest(await probeWrite(caller, { headers }), 'digest_mismatch')
    },
    only,
  ),
  signatureCheck(
    'SIG-032 SIG-033',
    'The server accepts a signature without a creation time, or from an hour ago',
    async ({ sharedPlatform: { caller } }) => {
      for (const created of [undefined, secondsNow() - 3600])
        expectAccepted(await probeWrite(caller, signed({ created })))
    },
    only,
  ),
  signatureCheck(
    'SIG-042',
    'The server verifies the signature over the path exactly as sent, with its escapes',
    async ({ anonymous, target, sharedPlatform: { hosted } }) => {
      const path = `${target.endpoint('rest')}/bookings/bkg`
      const send = (sent: string, signedUrl: string) => {
        const request = { method: 'GET', url: signedUrl, headers: { 'usp-agent': `profile="${hosted.profile}"` } }
        const headers = { ...request.headers, ...signatureHeaders(signatureKeyOf(hosted), request) }
        return anonymous.request('GET', sent, { headers })
      }
      expectAccepted(await send(`${path}%5Funknown`, `${path}%5Funknown`))
      expectRefused(await send(`${path}%5Funknown`, `${path}_unknown`), 'signature_invalid')
    },
    only,
  ),
  signatureCheck(
    'SIG-040',
    'The server executes a signed write only once, even if it arrives again byte for byte',
    async (c) => {
      const input = c.bookingOf(await c.slot(c.simpleService))
      const options = { ...signed(), idempotencyKey: randomUUID(), change: sameRequest() }
      const answers = [await c.caller.call('book', input, options), await c.caller.call('book', input, options)]
      const ids = answers.map((answer) => bookingOf(answer).id)
      c.afterwards(() => c.caller.call('cancelBooking', { booking_id: ids[0] }, signed()))
      expectEqual(ids[1], ids[0], 'the id of the booking in the second answer')
    },
    only,
  ),
  proofAndSignatureCheck(
    'SIG-045',
    'A caller with a proof needs no signature',
    async ({ sharedPlatform: { caller } }) => expectAccepted(await probe(caller, { authentication: 'proof' })),
    only,
  ),
]
