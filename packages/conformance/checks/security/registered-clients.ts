import { asMembers } from '../../caller/answer.ts'
import type { Caller } from '../../caller/caller.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectStatus, expectText } from '../../run/expectations.ts'
import { type Check, check } from '../check.ts'
import { bookWithCredential, expectBooking, expectUnbound } from './booked.ts'
import { requireMechanism } from './mechanism-check.ts'
import { requestToken } from './oauth.ts'
import { expectAccepted, expectRefused, probe } from './probe.ts'

const needs = ['services.bookings']

/** Each row: a mechanism of registered clients, its rules, and a function that returns the bearer token. */
const mechanisms: [mechanism: string, ruleOfRest: string, ruleOfMcp: string, bearer: (c: CheckContext) => unknown][] = [
  ['api_key', 'AUT-082', 'AUT-083', (c) => c.apiKey],
  ['oauth2_bearer', 'AUT-059', 'AUT-063', accessToken],
]

export const registeredClientChecks: Check[] = mechanisms.flatMap(([mechanism, ruleOfRest, ruleOfMcp, bearer]) => {
  const caller = async (c: CheckContext): Promise<Caller> => {
    requireMechanism(c, mechanism)
    // A business binds a client to one profile. Therefore the client uses the same profile in all runs.
    return c.callerFor({ ...c.platformOfClient, bearer: String(await bearer(c)) }, 'bearer')
  }
  return [
    check(
      `${ruleOfRest} AUT-037 AUT-087`,
      `A client can book with ${mechanism} as a bearer token`,
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
      `A client can call tools with ${mechanism}, both in the header and in _meta`,
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
      `A booking with ${mechanism} returns a credential without cnf`,
      async (c) => {
        const registered = await caller(c)
        const { result, booking } = await c.book(c.simpleService, { caller: registered })
        expectUnbound(result)
        const input = { booking_id: booking.id, notes: 'Conformance' }
        expectBooking(await registered.call('updateBooking', input), String(booking.id))
      },
      { needs },
    ),
    check(
      'AUT-047',
      `The server refuses a client with ${mechanism} that names another profile`,
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
  const answer = await requestToken(c, 'client_credentials')
  expectStatus(answer, 200)
  return expectText(asMembers(answer.json)?.access_token, 'access_token')
}
