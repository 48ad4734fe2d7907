import { asMembers, type Members } from '../../caller/answer.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual, expectMembers, expectTrue } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { check } from '../check.ts'

const SERVICES = 'dev.usp-protocol.services'
const once = true

export const ucpProfileChecks = [
  check(
    'PRO-040 LIV-101',
    'In a UCP profile, only the scheduling bindings have the authorization policy',
    async (c) => {
      const { services, ...others } = await ucpOf(c)
      for (const [name, bindings] of Object.entries(expectMembers(services, 'ucp.services')))
        for (const binding of Array.isArray(bindings) ? bindings.map(asMembers) : []) {
          const policy = asMembers(binding?.config)?.authorization
          if (name === SERVICES) expectMembers(policy, `config.authorization of ${name}`)
          else expectEqual(policy, undefined, `config.authorization of ${name}`)
          expectEqual(binding?.authorization, undefined, `authorization of ${name}`)
        }
      expectEqual('authorization' in others, false, 'the presence of authorization in ucp')
    },
    { once },
  ),
  check(
    'LIV-102',
    'The UCP profile has the capabilities that the payments of its services need',
    async (c) => {
      const capabilities = Object.keys(expectMembers((await ucpOf(c)).capabilities, 'ucp.capabilities'))
      const timings = c.services.map(({ policies }) => asMembers(policies)?.payment_timing)
      if (timings.includes('deposit_required'))
        expectTrue(
          capabilities.includes('dev.ucp.common.payment.terms'),
          'dev.ucp.common.payment.terms in ucp.capabilities',
          capabilities,
        )
      if (timings.includes('at_booking'))
        for (const name of ['dev.ucp.shopping.checkout', 'dev.usp-protocol.services.paid_bookings'])
          expectTrue(capabilities.includes(name), `${name} in ucp.capabilities`, capabilities)
    },
    { once },
  ),
  check(
    'LIV-103',
    'A UCP business confirms a booking with payment at the service at once',
    async (c) => {
      await ucpOf(c)
      const service = c.service('service with payment at the service that is confirmed at once', ({ policies }) => {
        const { payment_timing, confirmation_mode } = asMembers(policies) ?? {}
        return payment_timing === 'at_service' && confirmation_mode === 'auto'
      })
      const { booking } = await c.book(service)
      expectEqual(booking.status, 'confirmed', 'status')
    },
    { once, needs: ['services.bookings'] },
  ),
]

/**
 * Returns the member `ucp` of the profile for the Universal Commerce Protocol. Skips the check without such a profile.
 */
async function ucpOf(c: CheckContext): Promise<Members> {
  const answer = await c.anonymous.request('GET', `${c.target.origin}/.well-known/ucp`)
  const ucp = asMembers(asMembers(answer.json)?.ucp)
  if (answer.status !== 200 || !ucp) throw new Skip('The business has no UCP profile.')
  if (!asMembers(ucp.services)?.[SERVICES]) throw new Skip(`The UCP profile does not have ${SERVICES}.`)
  return ucp
}
