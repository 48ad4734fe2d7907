import type { CheckContext } from '../../run/check-context.ts'
import { expectStatus } from '../../run/expectations.ts'
import { bookWithCredential, expectBooking } from './booked.ts'
import { unboundCredentialCheck } from './mechanism-check.ts'
import { expectRefused } from './probe.ts'

/** Makes a booking with a signed call. The credential of such a booking is not bound to a key. */
async function booked(c: CheckContext) {
  const { caller } = c.newPlatform('signature')
  return { caller, ...(await bookWithCredential(c, caller)) }
}

export const unboundCredentialChecks = [
  unboundCredentialCheck(
    'BSC-029 BSC-031',
    'The server accepts a credential that is not bound to a key without a proof',
    async (c) => {
      const { caller, id, credential } = await booked(c)
      const options = { credential, authentication: 'none' } as const
      expectBooking(await caller.call('getBooking', { booking_id: id }, options), id)
      const wrong = { ...options, credential: `${credential.slice(0, -4)}AAAA` }
      expectRefused(await caller.call('getBooking', { booking_id: id }, wrong), 'authentication_required')
    },
  ),
  unboundCredentialCheck(
    'BSC-030 BSC-033',
    'Over REST, the server accepts a credential only with the scheme DPoP, in upper or lower case',
    async (c) => {
      const { caller, id, credential } = await booked(c)
      const call = (scheme: string) => {
        const headers = { authorization: `${scheme} ${credential}` }
        return caller.call('getBooking', { booking_id: id }, { authentication: 'none', headers })
      }
      for (const scheme of ['DPoP', 'dpop']) expectBooking(await call(scheme), id)
      for (const scheme of ['Bearer', 'Basic']) expectStatus(await call(scheme), 401)
    },
    { only: 'rest' },
  ),
]
