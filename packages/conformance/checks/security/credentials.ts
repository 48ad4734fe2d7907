import { Answer, asMembers } from '../../caller/answer.ts'
import { operations } from '../../caller/operations.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual, expectInstant, expectMembers, expectText, expectTrue } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { check } from '../check.ts'
import { join } from '../transactions/waitlist-scene.ts'
import { bookWithCredential } from './booked.ts'
import { credentialCheck, unboundCredentialCheck } from './mechanism-check.ts'

const REQUIRED = ['value', 'expires_at']
const OPTIONAL = ['cnf', 'scope']

/** The creations that return a credential. */
const creations = {
  hold: { rules: 'BSC-009 BSC-012', needs: 'services.availability', create: holdOf, resource: 'hold' },
  booking: { rules: 'BSC-010 BSC-012', needs: 'services.bookings', create: bookingOf, resource: 'booking' },
  entry: { rules: 'BSC-011 BSC-012', needs: 'services.waitlist', create: entryOf, resource: 'entry' },
}

export const credentialIssueChecks = [
  ...Object.values(creations).map(({ rules, needs, create, resource }) =>
    credentialCheck(
      rules,
      `The answer to a new ${resource} has a credential beside it, and not in the text for people`,
      async (c) => {
        const result = await create(c)
        const { value } = expectMembers(result.booking_scoped_credential, 'booking_scoped_credential')
        const text = expectText(value, 'value')
        expectEqual(JSON.stringify(result[resource]).includes(text), false, `whether the ${resource} contains it`)
        expectEqual(textsForPeople(c).includes(text), false, 'whether the text for people contains it')
      },
      { needs: [needs] },
    ),
  ),
  ...Object.values(creations).map(({ needs, create, resource }) =>
    credentialCheck(
      'BSC-001 BSC-004 BSC-005 BSC-006 BSC-025',
      `The credential of the new ${resource} has the form of the protocol`,
      async (c) => {
        const result = await create(c)
        const credential = expectMembers(result.booking_scoped_credential, 'booking_scoped_credential')
        const names = Object.keys(credential)
        expectEqual(
          REQUIRED.filter((name) => !names.includes(name)),
          [],
          'the missing members',
        )
        expectEqual(
          names.filter((name) => ![...REQUIRED, ...OPTIONAL].includes(name)),
          [],
          'the members that are too much',
        )
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
    'Credentials are 32 fresh random bytes, and tell nothing of the booking',
    async (c) => {
      const issued = [await bookWithCredential(c), await bookWithCredential(c), await bookWithCredential(c)]
      for (const { id, credential } of issued) {
        expectTrue(/^bsc_[\w-]{43}$/.test(credential), 'bsc_ and 43 base64url characters', credential)
        const decoded = Buffer.from(credential.slice('bsc_'.length), 'base64url').toString('latin1')
        expectEqual(
          [credential, decoded].some((text) => text.includes(id)),
          false,
          'whether it contains the id',
        )
      }
      expectEqual(
        new Set(issued.map(({ credential }) => credential)).size,
        issued.length,
        'the number of different values',
      )
    },
  ),
  credentialCheck('BSC-007', 'The credential of a booking lasts as long as the booking can be canceled', async (c) => {
    const { booking, slot, result } = await c.book()
    const { expires_at } = expectMembers(result.booking_scoped_credential, 'booking_scoped_credential')
    const end = expectInstant(expires_at, 'expires_at')
    const { cancellation } = expectMembers(c.simpleService.policies, 'policies') as {
      cancellation?: { allowed?: unknown }
    }
    if (cancellation?.allowed !== true) throw new Skip(`The booking ${booking.id} cannot be canceled.`)
    expectTrue(end >= Date.parse(slot.start), 'an expires_at not before the start of the booking', expires_at)
  }),
  credentialCheck('BSC-014', 'No reading of a booking contains its credential', async (c) => {
    const { id, credential } = await bookWithCredential(c)
    const calls = [
      await c.caller.call('getBooking', { booking_id: id }),
      await c.caller.call('updateBooking', { booking_id: id, notes: 'Conformance' }),
      await c.caller.call('cancelBooking', { booking_id: id }),
    ]
    for (const answer of calls) {
      answer.success()
      expectEqual(answer.text.includes(credential), false, 'whether the answer contains the credential')
    }
  }),
  unboundCredentialCheck('BSC-018', 'The credential of a creation without a proof is bound to no key', async (c) => {
    const { caller } = c.newPlatform('signature')
    const { result } = await c.book(c.simpleService, { caller })
    const credential = expectMembers(result.booking_scoped_credential, 'booking_scoped_credential')
    expectEqual('cnf' in credential, false, 'whether the credential has cnf')
  }),
  check(
    'BSC-013',
    'A business that does not accept booking-scoped credentials issues none',
    async (c) => {
      if (c.target.mechanisms.includes('booking_scoped_credential'))
        throw new Skip('The business accepts booking_scoped_credential.')
      const { result } = await c.book()
      expectEqual(JSON.stringify(result).includes('bsc_'), false, 'whether the result contains a credential')
    },
    { needs: ['services.bookings'] },
  ),
  check(
    'BSC-040',
    'No tool revokes a credential',
    async ({ anonymous }) => {
      const answer = await anonymous.message({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
      const tools = expectMembers(expectMembers(answer.json, 'the answer').result, 'result').tools
      const known = new Set(Object.values(operations).map(({ tool }) => tool))
      const names = (Array.isArray(tools) ? tools : []).map(({ name }) => String(name))
      expectTrue(names.length > 0, 'tools', names)
      const others = names.filter((name) => name.startsWith('usp_') && !known.has(name))
      expectEqual(
        others.filter((name) => /revoke|credential/.test(name)),
        [],
        'the tools that revoke credentials',
      )
    },
    { only: 'mcp' },
  ),
]

async function holdOf(c: CheckContext) {
  return (await c.hold()).result
}

async function bookingOf(c: CheckContext) {
  return (await c.book()).result
}

async function entryOf(c: CheckContext) {
  return (await join(c)).result
}

/** The texts for people in all tool results of the check. */
function textsForPeople({ exchanges }: CheckContext): string {
  const results = exchanges.flatMap(({ answer }) => (answer ? [asMembers(new Answer('mcp', answer).json)?.result] : []))
  return JSON.stringify(results.map((result) => asMembers(result)?.content))
}
