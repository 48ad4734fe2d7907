import { asMembers } from '../../caller/answer.ts'
import type { Caller } from '../../caller/caller.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual, expectMembers, expectStatus, expectText } from '../../run/expectations.ts'
import { type Check, check } from '../check.ts'
import { bookWithCredential, expectBooking } from './booked.ts'
import { requireMechanism } from './mechanism-check.ts'
import { tokenEndpoint } from './oauth.ts'
import { expectAccepted, expectRefused, probe } from './probe.ts'

const needs = ['services.bookings']

/** The mechanisms of registered clients, and where the suite gets the bearer value of each. */
const mechanisms: [mechanism: string, ruleOfRest: string, ruleOfMcp: string, bearer: (c: CheckContext) => unknown][] = [
  ['api_key', 'AUT-082', 'AUT-083', (c) => c.apiKey],
  ['oauth2_bearer', 'AUT-059', 'AUT-063', accessToken],
]

export const registeredClientChecks: Check[] = mechanisms.flatMap(([mechanism, ruleOfRest, ruleOfMcp, bearer]) => {
  const caller = async (c: CheckContext): Promise<Caller> => {
    requireMechanism(c, mechanism)
    // A client keeps to one profile, also over several runs.
    return c.callerFor({ ...c.platformOfClient, bearer: String(await bearer(c)) }, 'bearer')
  }
  return [
    check(
      `${ruleOfRest} AUT-037 AUT-087`,
      `${mechanism} authenticates a booking as a bearer value`,
      async (c) => {
        const registered = await caller(c)
        const { id, credential } = await bookWithCredential(c, registered)
        expectBooking(await registered.call('getBooking', { booking_id: id }), id)
        const asCredential = { authentication: 'none', credential } as const
        expectBooking(await registered.call('getBooking', { booking_id: id }, asCredential), id)
      },
      { needs, only: 'rest' },
    ),
    check(
      ruleOfMcp,
      `${mechanism} authenticates a tool call in the header and in _meta`,
      async (c) => {
        const registered = await caller(c)
        expectAccepted(await probe(registered))
        const { bearer: credential } = registered.identity ?? {}
        const inMeta = { authentication: 'none', mechanism, ...(credential !== undefined && { credential }) } as const
        expectAccepted(await probe(registered, inMeta))
        const wrong = { ...inMeta, credential: `${credential?.slice(0, -4)}AAAA` }
        expectRefused(await probe(registered, wrong), 'authentication_required')
      },
      { needs, only: 'mcp' },
    ),
    check(
      'BSC-018 BSC-038',
      `A creation by ${mechanism} returns a credential without cnf`,
      async (c) => {
        const registered = await caller(c)
        const { result, booking } = await c.book(c.simpleService, { caller: registered })
        const credential = expectMembers(result.booking_scoped_credential, 'booking_scoped_credential')
        expectEqual('cnf' in credential, false, 'whether the credential has cnf')
        const input = { booking_id: booking.id, notes: 'Conformance' }
        expectBooking(await registered.call('updateBooking', input), String(booking.id))
      },
      { needs },
    ),
    check(
      'AUT-047',
      `A client with ${mechanism} is refused under another profile`,
      async (c) => {
        const registered = await caller(c)
        expectAccepted(await probe(registered))
        const { bearer: value } = registered.identity ?? {}
        const elsewhere = c.callerFor({ ...c.platform.hosted, bearer: value }, 'bearer')
        expectRefused(await probe(elsewhere), 'authentication_required')
      },
      { needs },
    ),
  ]
})

async function accessToken(c: CheckContext): Promise<string> {
  const endpoint = tokenEndpoint(c)
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    authorization: `Basic ${Buffer.from(c.client).toString('base64')}`,
  }
  const answer = await c.anonymous.request('POST', endpoint, { body: 'grant_type=client_credentials', headers })
  expectStatus(answer, 200)
  return expectText(asMembers(answer.json)?.access_token, 'access_token')
}
