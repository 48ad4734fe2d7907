import { randomUUID } from 'node:crypto'
import type { CallOptions } from '../../caller/caller.ts'
import { digestOf, type SignatureOptions, signatureHeaders } from '../../caller/message-signature.ts'
import { expectEqual, expectMembers } from '../../run/expectations.ts'
import { signatureCheck } from './mechanism-check.ts'
import { expectAccepted, expectBadRequest, expectRefused, probe, probeWrite, secondsNow } from './probe.ts'

type Change = NonNullable<CallOptions['change']>

const only = { only: 'rest' } as const
const signed = (signature: SignatureOptions = {}) => ({ authentication: 'signature', signature }) as const
const OTHER_BODY = '{"reason":"Other"}'

/** Replaces headers after signing. Null removes a header. */
const withHeaders =
  (changes: Record<string, string | null>): Change =>
  (request) => {
    const headers = Object.entries({ ...request.headers, ...changes })
    const kept = headers.filter((header): header is [string, string] => header[1] !== null)
    return { ...request, headers: Object.fromEntries(kept) }
  }

/** The rule, the title, the code of the refusal, and what is wrong with the signature. */
const faults: [rules: string, title: string, code: string, options: () => SignatureOptions][] = [
  [
    'SIG-017',
    'a changed bit',
    'signature_invalid',
    () => ({ change: (bytes) => bytes.fill((bytes[9] ?? 0) ^ 1, 9, 10) }),
  ],
  ['SIG-019', 'the DER form', 'signature_invalid', () => ({ encoding: 'der' })],
  ['SIG-025', 'an unknown keyid', 'key_not_found', () => ({ keyid: 'key_of_nobody' })],
  ['SIG-026', 'no keyid', 'key_not_found', () => ({ keyid: null })],
  ['SIG-029', 'an alg that contradicts the key', 'signature_invalid', () => ({ parameters: ';alg="ed25519"' })],
  ['SIG-035', 'an expires in the past', 'signature_expired', () => ({ parameters: ';expires=1' })],
]

/** The rule, the title, the code, and what happens to the request after signing. */
const tampered: [rules: string, title: string, code: string, change: Change][] = [
  ['SIG-015', 'Signature-Input alone', 'signature_missing', withHeaders({ signature: null })],
  ['SIG-015', 'Signature alone', 'signature_missing', withHeaders({ 'signature-input': null })],
  [
    'SIG-016',
    'a Signature-Input that is no structured field',
    'signature_invalid',
    withHeaders({ 'signature-input': 'sig1=(' }),
  ],
  ['SIG-016', 'a Signature that is no byte sequence', 'signature_invalid', withHeaders({ signature: 'sig1=AAAA' })],
  [
    'SIG-021',
    'body and Content-Digest replaced after signing',
    'signature_invalid',
    (request) => withHeaders({ 'content-digest': digestOf(OTHER_BODY) })({ ...request, body: OTHER_BODY }),
  ],
]

export const signatureFormChecks = [
  ...faults.map(([rules, title, code, options]) =>
    signatureCheck(
      rules,
      `A signature with ${title} gives ${code}`,
      async ({ sharedPlatform: { caller } }) => expectRefused(await probeWrite(caller, signed(options())), code),
      only,
    ),
  ),
  ...tampered.map(([rules, title, code, change]) =>
    signatureCheck(
      rules,
      `A request with ${title} gives ${code}`,
      async ({ sharedPlatform: { caller } }) => expectRefused(await probeWrite(caller, { ...signed(), change }), code),
      only,
    ),
  ),
  ...(
    [
      ['SIG-020', 'A body that differs from its Content-Digest', (body) => body.replace('None', 'Other')],
      ['SIG-022', 'A body in another spelling than its Content-Digest', (body) => body.replace('{', '{ ')],
    ] as [string, string, (body: string) => string][]
  ).map(([rules, title, spell]) =>
    signatureCheck(
      rules,
      `${title} gives digest_mismatch`,
      async ({ sharedPlatform: { caller } }) => {
        const change: Change = (request) => ({ ...request, body: spell(request.body ?? '') })
        expectBadRequest(await probeWrite(caller, { ...signed(), change }), 'digest_mismatch')
      },
      only,
    ),
  ),
  signatureCheck(
    'SIG-023',
    'Content-Digest must have a sha-256 member, and may have others',
    async ({ sharedPlatform: { caller } }) => {
      const digest = (usual: string) => `x-other=:AAAA:, ${usual}`
      expectAccepted(await probeWrite(caller, signed({ digest })))
      expectBadRequest(await probeWrite(caller, signed({ digest: () => 'x-other=:AAAA:' })), 'digest_mismatch')
    },
    only,
  ),
  signatureCheck(
    'SIG-024',
    'A wrong Content-Digest of an unsigned request is refused',
    async ({ sharedPlatform: { caller } }) => {
      const headers = { 'content-digest': digestOf(OTHER_BODY) }
      expectBadRequest(await probeWrite(caller, { headers }), 'digest_mismatch')
    },
    only,
  ),
  signatureCheck(
    'SIG-032 SIG-033',
    'The server accepts signatures without created, and with one from an hour ago',
    async ({ sharedPlatform: { caller } }) => {
      for (const created of [undefined, secondsNow() - 3600])
        expectAccepted(await probeWrite(caller, signed({ created })))
    },
    only,
  ),
  signatureCheck(
    'SIG-042',
    'The path is verified as it was sent, with its escapes',
    async ({ anonymous, target, sharedPlatform: { hosted } }) => {
      const path = `${target.endpoint('rest')}/bookings/bkg`
      const send = (sent: string, signedUrl: string) => {
        const request = { method: 'GET', url: signedUrl, headers: { 'usp-agent': `profile="${hosted.profile}"` } }
        const headers = { ...request.headers, ...signatureHeaders(hosted.key, request) }
        return anonymous.request('GET', sent, { headers })
      }
      expectAccepted(await send(`${path}%5Funknown`, `${path}%5Funknown`))
      expectRefused(await send(`${path}%5Funknown`, `${path}_unknown`), 'signature_invalid')
    },
    only,
  ),
  signatureCheck(
    'SIG-040',
    'A signed write that is sent again byte for byte is done once',
    async (c) => {
      const slot = await c.slot(c.simpleService)
      const input = { service_id: c.simpleService.id, slot_id: slot.id, buyer: c.buyer() }
      let first: Parameters<Change>[0] | undefined
      const change: Change = (request) => {
        first ??= request
        return first
      }
      const options = { authentication: 'signature', idempotencyKey: randomUUID(), change } as const
      const answers = [await c.caller.call('book', input, options), await c.caller.call('book', input, options)]
      const ids = answers.map((answer) => expectMembers(answer.success().booking, 'booking').id)
      c.afterwards(() => c.caller.call('cancelBooking', { booking_id: ids[0] }, { authentication: 'signature' }))
      expectEqual(ids[1], ids[0], 'the id of the booking in the second answer')
    },
    only,
  ),
  signatureCheck(
    'SIG-045',
    'A caller that proves itself otherwise needs no signature',
    async ({ sharedPlatform: { caller } }) => expectAccepted(await probe(caller, { authentication: 'proof' })),
    only,
  ),
]
