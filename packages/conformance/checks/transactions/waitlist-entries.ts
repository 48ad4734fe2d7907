import type { OperationName } from '../../caller/operations.ts'
import { expectEqual, expectInstant, expectList, expectMembers, expectTrue } from '../../run/expectations.ts'
import { dateIn } from '../../target/free-slots.ts'
import { check } from '../check.ts'
import { anyWaitlistService, type Entry, hasWaitlist, join, NEVER_OFFERED, readEntry } from './waitlist-scene.ts'

const needs = ['services.waitlist']
const NOT_FOUND = { rest: 404, mcp: -32602 }
const onEntry = ['getEntry', 'leaveWaitlist', 'acceptOffer', 'declineOffer'] as const satisfies OperationName[]

export const waitlistEntryChecks = [
  check(
    'WTL-001 WTL-002 WTL-011 WTL-030',
    'A buyer joins the waitlist of a service',
    async (c) => {
      const buyer = c.buyer()
      const service = anyWaitlistService(c)
      const wishes = { service_id: service.id, buyer, preferred_slots: NEVER_OFFERED }
      const answer = await c.caller.call('joinWaitlist', wishes)
      const entry = expectMembers(answer.success().entry, 'entry') as Entry
      c.afterwards(() => c.caller.call('leaveWaitlist', { entry_id: entry.id }))
      if (c.binding === 'rest') expectEqual(answer.status, 201, 'the HTTP status')
      c.schemas.expectValid('waitlist#WaitlistEntry', entry, 'the entry')
      expectEqual(entry.status, 'waiting', 'status')
      expectEqual(entry.service_id, service.id, 'service_id')
      expectEqual(entry.buyer, buyer, 'buyer')
      expectTrue(Number.isInteger(entry.position) && entry.position >= 1, 'a position of at least 1', entry.position)
      expectInstant(entry.created_at, 'created_at')
      expectEqual('offered_slot' in entry || 'offer_expires_at' in entry, false, 'whether the entry has an offer')
    },
    { needs, newPlatform: true },
  ),
  check(
    'WTL-003',
    'A join without a service, a buyer or a part of the buyer is refused',
    async (c) => {
      const service_id = anyWaitlistService(c).id
      const { email, ...withoutEmail } = c.buyer()
      const { first_name, ...withoutFirstName } = c.buyer()
      const wishes = { preferred_slots: NEVER_OFFERED }
      for (const input of [
        { buyer: c.buyer() },
        { service_id },
        { service_id, buyer: withoutEmail },
        { service_id, buyer: withoutFirstName },
      ]) {
        const answer = await c.caller.call('joinWaitlist', { ...wishes, ...input })
        answer.failsWith('invalid_request', { rest: 400, mcp: -32600 })
      }
      const { entries } = (await c.caller.call('listWaitlist')).success()
      expectEqual(entries, [], 'the entries after the refused joins')
    },
    { needs, newPlatform: true },
  ),
  check(
    'LIV-010',
    'A join for an unknown service is refused without the code service_not_found in messages',
    async (c) => {
      const answer = await c.caller.call('joinWaitlist', { service_id: 'svc_of_no_business', buyer: c.buyer() })
      expectEqual(answer.refusal?.code, undefined, 'the code of an error message')
      expectTrue(answer.error !== undefined, 'a protocol error', `HTTP ${answer.status} with a result`)
    },
    { needs, newPlatform: true },
  ),
  check(
    'LIV-011',
    'A join for a service without a waitlist is refused with validation_error',
    async (c) => {
      const service = c.service('service without a waitlist', (one) => !hasWaitlist(one))
      const answer = await c.caller.call('joinWaitlist', { service_id: service.id, buyer: c.buyer() })
      answer.failsWith('validation_error', { rest: 422, mcp: -32602 })
      expectEqual((await c.caller.call('listWaitlist')).success().entries, [], 'the entries after the refused join')
    },
    { needs, newPlatform: true },
  ),
  check(
    'WTL-007 WTL-008',
    'An entry returns the preferred times as the platform sent them',
    async (c) => {
      const preferred_slots = [
        { start_date: dateIn(3650), end_date: dateIn(3652), time_of_day: 'morning' },
        { start_date: dateIn(3660), end_date: dateIn(3660) },
      ]
      const { entry } = await join(c, { preferred_slots })
      expectEqual(entry.preferred_slots, preferred_slots, 'preferred_slots of the join')
      expectEqual((await readEntry(entry, c.caller)).preferred_slots, preferred_slots, 'preferred_slots when read')
    },
    { needs, newPlatform: true },
  ),
  check(
    'WTL-009',
    'A preferred time whose start_date is no date is refused',
    async (c) => {
      const preferred_slots = [{ start_date: 'tomorrow', end_date: dateIn(3650) }]
      const input = { service_id: anyWaitlistService(c).id, buyer: c.buyer(), preferred_slots }
      const answer = await c.caller.call('joinWaitlist', input)
      answer.failsWith('validation_error', { rest: 422, mcp: -32602 })
    },
    { needs, newPlatform: true },
  ),
  check(
    'WTL-010 WTL-012 WTL-024 WTL-025',
    'Positions count up in the order of joining, and an entry that leaves moves those behind it up',
    async (c) => {
      const { entry: first } = await join(c)
      const { entry: second } = await join(c)
      const { position } = await readEntry(first, c.caller)
      expectTrue(position < second.position, `the later entry behind position ${position}`, second.position)
      const before = await readEntry(second, c.caller)
      const left = (await c.caller.call('leaveWaitlist', { entry_id: first.id })).success()
      const removed = expectMembers(left.entry, 'entry')
      expectEqual({ id: removed.id, status: removed.status }, { id: first.id, status: 'removed' }, 'the left entry')
      const gone = await readEntry(first, c.caller)
      expectEqual(gone.status, 'removed', 'the status of the left entry when read')
      expectTrue(Number.isInteger(gone.position) && gone.position >= 1, 'a position of at least 1', gone.position)
      const after = await readEntry(second, c.caller)
      expectTrue(after.position < before.position, `a position below ${before.position}`, after.position)
    },
    { needs, newPlatform: true },
  ),
  check(
    'WTL-013',
    'Each waitlist operation needs authentication',
    async (c) => {
      const { entry } = await join(c)
      const calls: [OperationName, object][] = [
        ['joinWaitlist', { service_id: entry.service_id, buyer: c.buyer(), preferred_slots: NEVER_OFFERED }],
        ['listWaitlist', {}],
        ...onEntry.map((name): [OperationName, object] => [name, { entry_id: entry.id }]),
      ]
      const { hosted } = c.platform
      for (const [name, input] of calls) {
        const answer = await c.callerFor(hosted, 'none').call(name, { ...input })
        answer.failsWith('authentication_required', { rest: 401, mcp: -32006 })
      }
      expectEqual((await readEntry(entry, c.caller)).status, 'waiting', 'the status of the entry')
    },
    { needs, newPlatform: true },
  ),
  check(
    'LIV-002 LIV-005 LIV-015 WTL-023',
    'An entry of another platform is answered like an unknown entry, and does not change',
    async (c) => {
      const { entry } = await join(c)
      const other = c.newPlatform().caller
      for (const name of onEntry) {
        const unknown = await other.call(name, { entry_id: 'wle_of_no_business' })
        const { members } = unknown.failsWith('entry_not_found', NOT_FOUND)
        const foreign = (await other.call(name, { entry_id: entry.id })).failsWith('entry_not_found', NOT_FOUND)
        expectEqual(comparable(foreign.members), comparable(members), `the error of ${name} for a foreign entry`)
        if (c.binding === 'rest')
          expectEqual(members.type, 'https://usp-protocol.dev/errors/entry-not-found', `type of ${name}`)
      }
      expectEqual((await readEntry(entry, c.caller)).status, 'waiting', 'the status of the entry')
    },
    { needs, newPlatform: true },
  ),
  check(
    'WTL-021',
    'The platform that joined reads its entry',
    async (c) => {
      const { entry } = await join(c)
      const { position, revision, ...joined } = entry
      const { position: now, revision: same, ...read } = await readEntry(entry, c.caller)
      expectEqual(read, joined, 'the entry when read')
      c.schemas.expectValid('waitlist#WaitlistEntry', { ...read, position: now }, 'the entry')
    },
    { needs, newPlatform: true },
  ),
  check(
    'WTL-053',
    'To leave the waitlist twice changes nothing more',
    async (c) => {
      const { entry: first } = await join(c)
      const { entry: second } = await join(c)
      await c.caller.call('leaveWaitlist', { entry_id: first.id })
      const again = (await c.caller.call('leaveWaitlist', { entry_id: first.id })).success()
      expectEqual(expectMembers(again.entry, 'entry').status, 'removed', 'the status after the second time')
      expectEqual((await readEntry(second, c.caller)).status, 'waiting', 'the status of the entry behind it')
    },
    { needs, newPlatform: true },
  ),
  check(
    'WTL-047',
    'A repeated join or leave with its idempotency key gives the stored answer',
    async (c) => {
      const input = { service_id: anyWaitlistService(c).id, buyer: c.buyer(), preferred_slots: NEVER_OFFERED }
      const idempotencyKey = crypto.randomUUID()
      const first = (await c.caller.call('joinWaitlist', input, { idempotencyKey })).success()
      const entry = expectMembers(first.entry, 'entry') as Entry
      c.afterwards(() => c.caller.call('leaveWaitlist', { entry_id: entry.id }))
      const repeated = (await c.caller.call('joinWaitlist', input, { idempotencyKey })).success()
      expectEqual(expectMembers(repeated.entry, 'entry').id, entry.id, 'the entry of the repeated join')
      const { entries } = (await c.caller.call('listWaitlist')).success()
      expectEqual(expectList(entries, 'entries').length, 1, 'the number of entries')
      const leave = { idempotencyKey: crypto.randomUUID() }
      const left = (await c.caller.call('leaveWaitlist', { entry_id: entry.id }, leave)).success()
      const leftAgain = (await c.caller.call('leaveWaitlist', { entry_id: entry.id }, leave)).success()
      expectEqual(leftAgain.entry, left.entry, 'the answer to the repeated leave')
    },
    { needs, newPlatform: true },
  ),
]

/** The error without what may differ between two calls. */
function comparable(members: object): object {
  const { instance, ...others } = members as Record<string, unknown>
  return others
}
