import { Answer, asMembers, type Members } from '../../caller/answer.ts'
import { operations } from '../../caller/operations.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual, expectInstant, expectMembers, expectText, expectTrue } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { cancellationOf } from '../../target/service-kinds.ts'
import { check } from '../check.ts'
import { join } from '../transactions/waitlist-steps.ts'
import { bookWithCredential, expectUnbound, issuedCredential } from './booked.ts'
import { credentialCheck, unboundCredentialCheck } from './mechanism-check.ts'

const REQUIRED = ['value', 'expires_at']
const OPTIONAL = ['cnf', 'scope']

/** The operations that create something and return a credential for it. */
const creations: { rules: string; needs: string; resource: string; create: (c: CheckContext) => Promise<Members> }[] = [
  {
    rules: 'BSC-009 BSC-012',
    needs: 'services.availability',
    resource: 'hold',
    create: async (c) => (await c.hold()).result,
  },
  {
    rules: 'BSC-010 BSC-012',
    needs: 'services.bookings',
    resource: 'booking',
    create: async (c) => (await c.book()).result,
  },
  {
    rules: 'BSC-011 BSC-012',
    needs: 'services.waitlist',
    resource: 'entry',
    create: async (c) => (await join(c)).result,
  },
]

export const credentialIssueChecks = [
  ...creations.map(({ rules, needs, create, resource }) =>
    credentialCheck(
      rules,
      `The answer with a new ${resource} contains a credential, but not in the ${resource} or in the text for people`,
      async (c) => {
        const result = await create(c)
        const text = expectText(issuedCredential(result).value, 'value')
        expectEqual(
          JSON.stringify(result[resource]).includes(text),
          false,
          `the presence of the credential in the ${resource}`,
        )
        expectEqual(textsForPeople(c).includes(text), false, 'the presence of the credential in the text for people')
      },
      { needs: [needs] },
    ),
  ),
  ...creations.map(({ needs, create, resource }) =>
    credentialCheck(
      'BSC-001 BSC-004 BSC-005 BSC-006 BSC-025',
      `The credential of a new ${resource} has the form that the protocol requires`,
      async (c) => {
        const result = await create(c)
        const credential = issuedCredential(result)
        const names = Object.keys(credential)
        const missing = REQUIRED.filter((name) => !names.includes(name))
        expectEqual(missing, [], 'the missing members')
        const unknown = names.filter((name) => ![...REQUIRED, ...OPTIONAL].includes(name))
        expectEqual(unknown, [], 'the unknown members')
        expectTrue(/^bsc_.{22,}$/.test(String(credential.value)), 'bsc_ and at least 22 characters', credential.value)
        const end = expectInstant(credential.expires_at, 'expires_at')
        expectTrue(end > Date.now(), 'an expires_at in the future', credential.expires_at)
        const cnf = expectMembers(credential.cnf, 'cnf')
        expectEqual(Object.keys(cnf), ['jkt'], 'the members of cnf')
        expectTrue(/^[\w-]{43}$/.test(String(cnf.jkt)), 'a jkt of 43 base64url characters', cnf.jkt)
        const { scope } = credential
        const isScope =
          scope === undefined ||
          (Array.isArray(scope) && scope.length > 0 && scope.every((name) => /^usp_\w+$/.test(String(name))))
        expectTrue(isScope, 'no scope, or a list of usp_ methods', scope)
      },
      { needs: [needs] },
    ),
  ),
  credentialCheck(
    'BSC-002 BSC-003',
    'Each credential has 32 new random bytes, and does not contain the id of the booking',
    async (c) => {
      const issued = [await bookWithCredential(c), await bookWithCredential(c), await bookWithCredential(c)]
      for (const { id, credential } of issued) {
        expectTrue(/^bsc_[\w-]{43}$/.test(credential), 'bsc_ and 43 base64url characters', credential)
        const decoded = Buffer.from(credential.slice('bsc_'.length), 'base64url').toString('latin1')
        const hasId = [credential, decoded].some((text) => text.includes(id))
        expectEqual(hasId, false, 'the presence of the booking id in the credential')
      }
      const values = new Set(issued.map(({ credential }) => credential))
      expectEqual(values.size, issued.length, 'the number of different values')
    },
  ),
  credentialCheck(
    'BSC-007',
    'The credential of a booking is valid at least until the start of the booking',
    async (c) => {
      const { booking, slot, result } = await c.book()
      const { expires_at } = issuedCredential(result)
      const end = expectInstant(expires_at, 'expires_at')
      if (cancellationOf(c.simpleService).allowed !== true)
        throw new Skip(`The service of the booking ${booking.id} allows no cancellations.`)
      expectTrue(end >= Date.parse(slot.start), 'an expires_at not before the start of the booking', expires_at)
    },
  ),
  credentialCheck('BSC-014', 'The answers about an existing booking never contain its credential', async (c) => {
    const { id, credential } = await bookWithCredential(c)
    const calls = [
      await c.caller.call('getBooking', { booking_id: id }),
      await c.caller.call('updateBooking', { booking_id: id, notes: 'Conformance' }),
      await c.caller.call('cancelBooking', { booking_id: id }),
    ]
    for (const answer of calls) {
      answer.success()
      expectEqual(answer.text.includes(credential), false, 'the presence of the credential in the answer')
    }
  }),
  unboundCredentialCheck('BSC-018', 'A credential from a call without a proof is not bound to a key', async (c) => {
    const { caller } = c.newPlatform('signature')
    const { result } = await c.book(c.simpleService, { caller })
    expectUnbound(result)
  }),
  check(
    'BSC-013',
    'A business that does not accept booking-scoped credentials issues none',
    async (c) => {
      if (c.target.mechanisms.includes('booking_scoped_credential'))
        throw new Skip('The business accepts booking_scoped_credential.')
      const { result } = await c.book()
      expectEqual(JSON.stringify(result).includes('bsc_'), false, 'the presence of a credential in the result')
    },
    { needs: ['services.bookings'] },
  ),
  check(
    'BSC-040',
    'The server has no tool that revokes a credential',
    async ({ anonymous }) => {
      const answer = await anonymous.message({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
      const tools = expectMembers(expectMembers(answer.json, 'the answer').result, 'result').tools
      const known = new Set(Object.values(operations).map(({ tool }) => tool))
      const names = (Array.isArray(tools) ? tools : []).map(({ name }) => String(name))
      expectTrue(names.length > 0, 'tools', names)
      const others = names.filter((name) => name.startsWith('usp_') && !known.has(name))
      const revoking = others.filter((name) => /revoke|credential/.test(name))
      expectEqual(revoking, [], 'the tools that revoke credentials')
    },
    { only: 'mcp' },
  ),
]

/** Returns the texts for people in all tool results of the check. */
function textsForPeople({ exchanges }: CheckContext): string {
  const results = exchanges.flatMap(({ answer }) => (answer ? [asMembers(new Answer('mcp', answer).json)?.result] : []))
  return JSON.stringify(results.map((result) => asMembers(result)?.content))
}
