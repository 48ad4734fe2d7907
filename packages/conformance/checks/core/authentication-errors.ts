import { createHash, randomUUID } from 'node:crypto'
import { expectEqual, expectTrue, inCase } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { check } from '../check.ts'
import { requireMechanism } from '../security/mechanism-check.ts'
import { changedPlatform } from './named-platforms.ts'
import { sampleInputs } from './sample-inputs.ts'

const needs = ['services.bookings']
const BOOKING = sampleInputs.getBooking
const PROOF_FAILURE = { rest: 401, mcp: -32001 }
const SIGNATURE_FAILURE = { rest: 401, mcp: -32006 }
const BAD_REQUEST = { rest: 400, mcp: -32600 }

export const authenticationErrorChecks = [
  check(
    'ERR-051 ERR-052 ERR-054 ERR-056 ERR-058',
    'An invalid proof and a repeated proof get different error codes',
    async (c) => {
      requireMechanism(c, 'platform_key_pop')
      // The shared platform could reach a rate limit. The suite would then repeat the request with the same, already
      // used proof.
      const { caller } = c
      const old = { claims: { iat: Math.floor(Date.now() / 1000) - 86_400 } }
      const invalid = await caller.call('getBooking', BOOKING, { proof: old })
      expectWithoutNonce(invalid.failsWith('pop_proof_invalid', PROOF_FAILURE).members)
      const once = { claims: { jti: randomUUID() } }
      ;(await caller.call('getBooking', BOOKING, { proof: once })).failsWith('booking_not_found')
      const repeated = await caller.call('getBooking', BOOKING, { proof: once })
      expectWithoutNonce(repeated.failsWith('pop_proof_replayed', PROOF_FAILURE).members)
    },
    { needs },
  ),
  check(
    'ERR-051 ERR-053 ERR-055',
    'The server refuses a bound credential without a proof, or with a proof by another key',
    async (c) => {
      requireMechanism(c, 'platform_key_pop')
      const { booking, credential } = await c.book()
      if (credential === undefined) throw new Skip('The business issues no booking-scoped credentials.')
      const on = { booking_id: booking.id }
      const missing = await c.caller.call('getBooking', on, { credential, authentication: 'none' })
      missing.failsWith('pop_proof_missing', PROOF_FAILURE)
      const other = c.newPlatform().caller
      ;(await other.call('getBooking', on, { credential })).failsWith('pop_key_mismatch', PROOF_FAILURE)
    },
    { needs },
  ),
  check(
    'ERR-059 ERR-060 ERR-061 ERR-065',
    'Each kind of signature failure has a separate error code',
    async (c) => {
      requireMechanism(c, 'http_message_signature')
      const { caller } = c.sharedPlatform
      const probe = (change: Parameters<typeof caller.call>[2]) =>
        caller.call('getBooking', BOOKING, { authentication: 'signature', ...change })
      const withHeader = (name: string, edit: (value: string) => string | undefined) =>
        probe({
          change: (request) => {
            const { [name]: value = '', ...headers } = request.headers
            const edited = edit(value)
            return { ...request, headers: { ...headers, ...(edited !== undefined && { [name]: edited }) } }
          },
        })
      const answers = {
        signature_missing: await withHeader('signature', () => undefined),
        signature_invalid: await withHeader('signature', withOtherSignature),
        key_not_found: await probe({ signature: { keyid: 'key-of-nobody' } }),
      }
      for (const [code, answer] of Object.entries(answers))
        inCase(code, () => {
          const { members } = answer.failsWith(code, SIGNATURE_FAILURE)
          expectWithoutNonce(members)
          if (code !== 'key_not_found') expectEqual(members.mechanism, 'http_message_signature', 'mechanism')
        })
    },
    { needs },
  ),
  check(
    'ERR-063',
    'A request with the digest of another body gets digest_mismatch',
    async (c) => {
      requireMechanism(c, 'http_message_signature')
      const digest = createHash('sha256').update('another body').digest('base64')
      const answer = await c.sharedPlatform.caller.call('cancelBooking', BOOKING, {
        authentication: 'signature',
        change: (request) => ({
          ...request,
          headers: { ...request.headers, 'content-digest': `sha-256=:${digest}:` },
        }),
      })
      answer.failsWith('digest_mismatch', BAD_REQUEST)
    },
    { needs },
  ),
  check(
    'ERR-062',
    'An expired signature gets signature_expired',
    async (c) => {
      requireMechanism(c, 'http_message_signature')
      const signature = { parameters: `;expires=${Math.floor(Date.now() / 1000) - 86_400}` }
      const options = { authentication: 'signature', signature } as const
      const answer = await c.sharedPlatform.caller.call('getBooking', BOOKING, options)
      if (answer.error?.code === 'booking_not_found')
        throw new Skip('The server ignores the parameter expires of a signature.')
      answer.failsWith('signature_expired', SIGNATURE_FAILURE)
    },
    { needs },
  ),
  check(
    'ERR-064',
    'A signature with a key of an unknown type gets algorithm_unsupported',
    async (c) => {
      requireMechanism(c, 'http_message_signature')
      const { caller } = changedPlatform(c, ({ document, key }) => {
        document.keys = [key.published, { kid: 'strange', kty: 'XYZ', use: 'sig' }]
      })
      const options = { authentication: 'signature', signature: { keyid: 'strange' } } as const
      ;(await caller.call('getBooking', BOOKING, options)).failsWith('algorithm_unsupported', BAD_REQUEST)
    },
    { needs },
  ),
  check(
    'ERR-076',
    'The server never answers wrong or missing credentials with HTTP 403',
    async (c) => {
      const { caller } = c.sharedPlatform
      const headers = { authorization: 'Bearer of-nobody' }
      const answers = {
        'no credentials': await c.anonymous.call('getBooking', BOOKING),
        'an unknown token': await caller.call('getBooking', BOOKING, { authentication: 'none', headers }),
        'a confirmation by a platform': await caller.call('confirmBooking', BOOKING),
        'an unknown booking': await caller.call('getBooking', BOOKING),
      }
      for (const [name, { status }] of Object.entries(answers))
        inCase(name, () => expectTrue(status === 401 || status === 404, 'HTTP 401 or 404', `HTTP ${status}`))
    },
    { only: 'rest', needs },
  ),
]

/** Only the error `proof_nonce_required` may contain a nonce. */
function expectWithoutNonce(members: object): void {
  expectEqual('nonce' in members, false, 'the presence of a nonce in the error')
}

/** Changes the first character of the signature in a header. */
const withOtherSignature = (signature: string): string =>
  signature.replace(/:(.)/, (_, first: string) => `:${first === 'A' ? 'B' : 'A'}`)
