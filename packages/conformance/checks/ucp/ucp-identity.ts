import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual, expectMembers, expectText } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { check } from '../check.ts'
import { requireMechanism } from '../security/mechanism-check.ts'
import { expectAccepted, expectRefused, probe, signed } from '../security/probe.ts'
import { readBooking } from '../transactions/slots-and-bookings.ts'
import { checkoutOf, checkoutsOf, needs as ofCheckouts, openCheckout } from './checkout-steps.ts'

const needs = ['services.bookings']

function requireUcpNative({ target }: CheckContext): void {
  if (!target.isUcpNative) throw new Skip('The business is not in the mode UCP-Native.')
}

/** The headers of a call that names its platform as UCP does. */
const namedAsInUcp = (profile: string) => ({ 'usp-agent': null, 'ucp-agent': `profile="${profile}"` })

const CREDENTIAL = 'booking_scoped_credential'

/** Completes a checkout, and returns its booking and the credential for it. */
async function completeWithCredential(c: CheckContext) {
  requireMechanism(c, CREDENTIAL)
  const { checkouts, id } = await openCheckout(c)
  const isProven = c.binding === 'rest' && c.target.mechanisms.includes('platform_key_pop')
  const options = isProven ? ({ authentication: 'proof' } as const) : {}
  const done = checkoutOf(await checkouts.call('completeCheckout', { id }, options))
  const issued = expectMembers(done[CREDENTIAL], CREDENTIAL)
  c.schemas.expectValid('profile#BookingScopedCredential', issued, CREDENTIAL)
  return { booking: done.booking, issued, credential: expectText(issued.value, 'value of the credential') }
}

export const ucpIdentityChecks = [
  check(
    'AUT-045',
    'In the mode UCP-Native, a platform with a UCP profile alone can name itself in the header UCP-Agent',
    async (c) => {
      requireUcpNative(c)
      const { hosted, caller } = c.newPlatform()
      const { usp: _, ...ofUcp } = hosted.document
      hosted.document = ofUcp
      const isProven = c.target.mechanisms.includes('platform_key_pop')
      const options = isProven ? ({ authentication: 'proof' } as const) : signed()
      expectAccepted(await probe(caller, { ...options, headers: namedAsInUcp(hosted.profile) }))
    },
    { needs, only: 'rest' },
  ),
  check(
    'SIG-009',
    'In the mode UCP-Native, a signature that does not cover the header UCP-Agent counts as none',
    async (c) => {
      requireUcpNative(c)
      requireMechanism(c, 'http_message_signature')
      const { hosted, caller } = c.sharedPlatform
      const headers = namedAsInUcp(hosted.profile)
      expectAccepted(await probe(caller, { ...signed(), headers }))
      expectRefused(await probe(caller, { ...signed({ without: ['ucp-agent'] }), headers }), 'signature_missing')
    },
    { needs, only: 'rest' },
  ),
  check(
    'SIG-009',
    'A call of the checkout whose signature does not cover the header UCP-Agent counts as unsigned',
    async (c) => {
      requireMechanism(c, 'http_message_signature')
      const options = signed({ without: ['ucp-agent'] })
      const answer = await checkoutsOf(c).call('getCheckout', { id: 'checkout_of_nobody' }, options)
      expectRefused(answer, 'signature_missing')
    },
    { needs: ofCheckouts, only: 'rest' },
  ),
  check(
    'POP-025',
    'In the mode UCP-Native, a proof for the address of the UCP profile is accepted',
    async (c) => {
      requireUcpNative(c)
      requireMechanism(c, 'platform_key_pop')
      expectAccepted(await probe(c.sharedPlatform.caller, { proof: { claims: { aud: c.target.profileUrl } } }))
    },
    { needs, only: 'mcp' },
  ),
  check(
    'POP-011 BSC-014',
    'The credential of a completed checkout stands beside its booking, and opens it',
    async (c) => {
      const { booking, issued, credential } = await completeWithCredential(c)
      expectEqual(JSON.stringify(booking).includes(credential), false, 'whether the booking has the credential')
      const authentication = issued.cnf === undefined ? 'none' : 'proof'
      const input = { booking_id: booking.booking_id }
      const { booking: read } = (await c.caller.call('getBooking', input, { credential, authentication })).success()
      expectEqual(expectMembers(read, 'booking').id, booking.booking_id, 'id of the booking')
    },
    { needs: [...ofCheckouts, ...needs] },
  ),
  check(
    'LIV-107 BKG-079',
    'The credential of a completed checkout does not authorize the confirmation of its booking',
    async (c) => {
      const { booking, issued, credential } = await completeWithCredential(c)
      const authentication = issued.cnf === undefined ? 'none' : 'proof'
      const input = { booking_id: booking.booking_id }
      const answer = await c.caller.call('confirmBooking', input, { credential, authentication })
      answer.failsWith('authentication_required')
      expectEqual((await readBooking(c, { id: booking.booking_id })).status, 'confirmed', 'status')
    },
    { needs: [...ofCheckouts, ...needs] },
  ),
]
