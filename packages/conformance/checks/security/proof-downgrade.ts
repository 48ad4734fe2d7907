import { signatureHeaders } from '../../caller/message-signature.ts'
import { expectStatus } from '../../run/expectations.ts'
import { bookWithCredential, expectBooking } from './booked.ts'
import { credentialCheck, requireMechanism } from './mechanism-check.ts'
import { expectRefused } from './probe.ts'

const MECHANISMS = [
  'booking_scoped_credential',
  'platform_key_pop',
  'http_message_signature',
  'oauth2_bearer',
  'api_key',
]

export const proofDowngradeChecks = [
  credentialCheck(
    'POP-078 POP-099',
    'A bound credential without a proof is refused, whatever mechanism the call declares',
    async (c) => {
      const { id, credential } = await bookWithCredential(c)
      for (const mechanism of MECHANISMS) {
        const options = { credential, mechanism, authentication: 'none' } as const
        expectRefused(await c.caller.call('getBooking', { booking_id: id }, options), 'pop_proof_missing')
      }
    },
    { only: 'mcp' },
  ),
  credentialCheck(
    'POP-009',
    'A tool call with credential and proof may declare either mechanism',
    async (c) => {
      const { id, credential } = await bookWithCredential(c)
      for (const mechanism of ['booking_scoped_credential', 'platform_key_pop'])
        expectBooking(await c.caller.call('getBooking', { booking_id: id }, { credential, mechanism }), id)
    },
    { only: 'mcp' },
  ),
  credentialCheck('POP-079', 'A valid signature does not replace the proof of a bound credential', async (c) => {
    requireMechanism(c, 'http_message_signature')
    const { id, credential } = await bookWithCredential(c)
    const { key } = c.platform.hosted
    const signed = { authentication: 'signature' } as const
    expectBooking(await c.caller.call('getBooking', { booking_id: id }, signed), id)
    const answer = await c.caller.call(
      'getBooking',
      { booking_id: id },
      {
        credential,
        authentication: 'none',
        headers: { ...(c.binding === 'rest' && { authorization: `DPoP ${credential}` }) },
        change: (request) => ({ ...request, headers: { ...request.headers, ...signatureHeaders(key, request) } }),
      },
    )
    expectRefused(answer, 'pop_proof_missing')
  }),
  credentialCheck(
    'POP-080',
    'A bound credential as a bearer token without a proof is refused',
    async (c) => {
      const { id, credential } = await bookWithCredential(c)
      const options = { authentication: 'none', headers: { authorization: `Bearer ${credential}` } } as const
      expectRefused(await c.caller.call('getBooking', { booking_id: id }, options), 'pop_proof_missing')
    },
    { only: 'rest' },
  ),
  credentialCheck(
    'POP-081',
    'A bound credential as a bearer token is refused even with a valid proof',
    async (c) => {
      const { id, credential } = await bookWithCredential(c)
      const options = { credential, headers: { authorization: `Bearer ${credential}` } }
      expectStatus(await c.caller.call('getBooking', { booking_id: id }, options), 401)
    },
    { only: 'rest' },
  ),
]
