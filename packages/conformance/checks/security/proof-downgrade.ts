import { signatureKeyOf } from '../../caller/caller.ts'
import { expectStatus } from '../../run/expectations.ts'
import { bookWithCredential, expectBooking } from './booked.ts'
import { credentialCheck, requireMechanism } from './mechanism-check.ts'
import { expectRefused, signed } from './probe.ts'
import { signedBy } from './request-changes.ts'

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
    'The server refuses a bound credential without a proof for each declared mechanism',
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
    'A tool call with a credential and a proof may declare the mechanism of either',
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
    const input = { booking_id: id }
    expectBooking(await c.caller.call('getBooking', input, signed()), id)
    const headers = c.binding === 'rest' ? { authorization: `DPoP ${credential}` } : {}
    const options = {
      credential,
      authentication: 'none',
      headers,
      change: signedBy({ by: signatureKeyOf(c.platform.hosted) }),
    } as const
    expectRefused(await c.caller.call('getBooking', input, options), 'pop_proof_missing')
  }),
  credentialCheck(
    'POP-080',
    'The server refuses a bound credential as a bearer token without a proof',
    async (c) => {
      const { id, credential } = await bookWithCredential(c)
      const options = { authentication: 'none', headers: { authorization: `Bearer ${credential}` } } as const
      expectRefused(await c.caller.call('getBooking', { booking_id: id }, options), 'pop_proof_missing')
    },
    { only: 'rest' },
  ),
  credentialCheck(
    'POP-081',
    'The server refuses a bound credential as a bearer token, even with a valid proof',
    async (c) => {
      const { id, credential } = await bookWithCredential(c)
      const options = { credential, headers: { authorization: `Bearer ${credential}` } }
      expectStatus(await c.caller.call('getBooking', { booking_id: id }, options), 401)
    },
    { only: 'rest' },
  ),
]
