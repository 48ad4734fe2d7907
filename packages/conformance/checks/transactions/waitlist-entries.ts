import type { Members } from '../../caller/answer.ts'
import type { OperationName } from '../../caller/operations.ts'
import { expectEqual, expectInstant, expectList, expectTrue } from '../../run/expectations.ts'
import { dateIn } from '../../target/free-slots.ts'
import { check } from '../check.ts'
import { newKey, UNKNOWN_SERVICE } from './slots-and-bookings.ts'
import {
  anyWaitlistService,
  askToJoin,
  entryOf,
  hasOffer,
  hasWaitlist,
  join,
  leave,
  NEVER_OFFERED,
  readEntry,
} from './waitlist-steps.ts'

const needs = ['services.waitlist']
const onEntry = ['getEntry', 'leaveWaitlist', 'acceptOffer', 'declineOffer'] as const satisfies OperationName[]

export const waitlistEntryChecks = [
  check(
    'WTL-001 WTL-002 WTL-011 WTL-030',
    'A buyer can join the waitlist of a service',
    async (c) => {
      const buyer = c.buyer()
      const service = anyWaitlistService(c)
      const answer = await askToJoin(c, { service_id: service.id, buyer })
      const entry = entryOf(answer)
      if (c.binding === 'rest') expectEqual(answer.status, 201, 'the HTTP status')
      c.schemas.expectValid('waitlist#WaitlistEntry', entry, 'the entry')
      expectEqual(entry.status, 'waiting', 'status')
      expectEqual(entry.service_id, service.id, 'service_id')
      expectEqual(entry.buyer, buyer, 'buyer')
      expectTrue(Number.isInteger(entry.position) && entry.position >= 1, 'a position of at least 1', entry.position)
      expectInstant(entry.created_at, 'created_at')
      expectEqual(hasOffer(entry), false, 'the presence of an offer in the entry')
    },
    { needs, newPlatform: true },
  ),
  check(
    'WTL-003',
    'The server refuses a waitlist entry without a service, or without a complete buyer',
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
        answer.failsWith('invalid_request')
      }
      const { entries } = (await c.caller.call('listWaitlist')).success()
      expectEqual(entries, [], 'the entries after the refused calls')
    },
    { needs, newPlatform: true },
  ),
  check(
    'LIV-011',
    'The server refuses a waitlist entry for a service without a waitlist',
    async (c) => {
      const service = c.service('service without a waitlist', (one) => !hasWaitlist(one))
      const answer = await askToJoin(c, { service_id: service.id })
      answer.failsWith('validation_error')
      const { entries } = (await c.caller.call('listWaitlist')).success()
      expectEqual(entries, [], 'the entries after the refused call')
    },
    { needs, newPlatform: true },
  ),
  check(
    'LIV-010',
    'A waitlist entry for an unknown service gets a protocol error, not a message',
    async (c) => {
      const answer = await askToJoin(c, { service_id: UNKNOWN_SERVICE })
      expectEqual(answer.refusal?.code, undefined, 'the code of an error message')
      expectTrue(answer.error !== undefined, 'a protocol error', `HTTP ${answer.status} with a result`)
    },
    { needs, newPlatform: true },
  ),
  check(
    'LIV-011',
    'A waitlist entry for a service without a waitlist gets validation_error',
    async (c) => {
      const service = c.service('service without a waitlist', (one) => !hasWaitlist(one))
      ;(await askToJoin(c, { service_id: service.id })).failsWith('validation_error')
      expectEqual((await c.caller.call('listWaitlist')).success().entries, [], 'the entries after the refused call')
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
      expectEqual(entry.preferred_slots, preferred_slots, 'preferred_slots of the new entry')
      expectEqual((await readEntry(c, entry)).preferred_slots, preferred_slots, 'preferred_slots when read')
    },
    { needs, newPlatform: true },
  ),
  check(
    'WTL-009',
    'The server refuses a preferred time whose start_date is not a date',
    async (c) => {
      const preferred_slots = [{ start_date: 'tomorrow', end_date: dateIn(3650) }]
      ;(await askToJoin(c, { preferred_slots })).failsWith('validation_error')
    },
    { needs, newPlatform: true },
  ),
  check(
    'WTL-010 WTL-012 WTL-024 WTL-025',
    'Positions follow the order of joining, and later entries move up when an entry leaves',
    async (c) => {
      const { entry: first } = await join(c)
      const { entry: second } = await join(c)
      const { position } = await readEntry(c, first)
      expectTrue(position < second.position, `the later entry behind position ${position}`, second.position)
      const before = await readEntry(c, second)
      const { id, status } = await leave(c, first)
      expectEqual({ id, status }, { id: first.id, status: 'removed' }, 'the entry that left')
      const gone = await readEntry(c, first)
      expectEqual(gone.status, 'removed', 'the status of the entry that left')
      expectTrue(Number.isInteger(gone.position) && gone.position >= 1, 'a position of at least 1', gone.position)
      const after = await readEntry(c, second)
      expectTrue(after.position < before.position, `a position below ${before.position}`, after.position)
    },
    { needs, newPlatform: true },
  ),
  check(
    'WTL-013',
    'Each waitlist operation needs authentication',
    async (c) => {
      const { entry } = await join(c)
      const calls: [OperationName, Members][] = [
        ['joinWaitlist', { service_id: entry.service_id, buyer: c.buyer(), preferred_slots: NEVER_OFFERED }],
        ['listWaitlist', {}],
        ...onEntry.map((name): [OperationName, Members] => [name, { entry_id: entry.id }]),
      ]
      const unproven = c.callerFor(c.platform.hosted, 'none')
      for (const [name, input] of calls) (await unproven.call(name, input)).failsWith('authentication_required')
      expectEqual((await readEntry(c, entry)).status, 'waiting', 'the status of the entry')
    },
    { needs, newPlatform: true },
  ),
  check(
    'LIV-002 LIV-005 LIV-015 WTL-023',
    'A call about an entry of another platform gets the same answer as for an unknown entry, and changes nothing',
    async (c) => {
      const { entry } = await join(c)
      const other = c.newPlatform().caller
      for (const name of onEntry) {
        const unknown = await other.call(name, { entry_id: 'wle_of_no_business' })
        const { members } = unknown.failsWith('entry_not_found')
        const foreign = (await other.call(name, { entry_id: entry.id })).failsWith('entry_not_found')
        expectEqual(comparable(foreign.members), comparable(members), `the error of ${name} for a foreign entry`)
        if (c.binding === 'rest')
          expectEqual(members.type, 'https://usp-protocol.dev/errors/entry-not-found', `type of ${name}`)
      }
      expectEqual((await readEntry(c, entry)).status, 'waiting', 'the status of the entry')
    },
    { needs, newPlatform: true },
  ),
  check(
    'WTL-021',
    'The platform that joined can read its entry',
    async (c) => {
      const { entry } = await join(c)
      const { position, revision, ...joined } = entry
      const { position: now, revision: same, ...read } = await readEntry(c, entry)
      expectEqual(read, joined, 'the entry when read')
      c.schemas.expectValid('waitlist#WaitlistEntry', { ...read, position: now }, 'the entry')
    },
    { needs, newPlatform: true },
  ),
  check(
    'WTL-053',
    'A second call to leave the waitlist changes nothing',
    async (c) => {
      const { entry: first } = await join(c)
      const { entry: second } = await join(c)
      await leave(c, first)
      expectEqual((await leave(c, first)).status, 'removed', 'the status after the second time')
      expectEqual((await readEntry(c, second)).status, 'waiting', 'the status of the entry behind it')
    },
    { needs, newPlatform: true },
  ),
  check(
    'WTL-047',
    'A join or leave repeated with its idempotency key gets the stored answer',
    async (c) => {
      const request = { buyer: c.buyer(), options: newKey() }
      const { entry } = await join(c, request)
      const { entry: repeated } = await join(c, request)
      expectEqual(repeated.id, entry.id, 'the entry of the repeated join')
      const { entries } = (await c.caller.call('listWaitlist')).success()
      expectEqual(expectList(entries, 'entries').length, 1, 'the number of entries')
      const options = newKey()
      const left = await leave(c, entry, options)
      expectEqual(await leave(c, entry, options), left, 'the answer to the repeated leave')
    },
    { needs, newPlatform: true },
  ),
]

/** Returns the members of an error except `instance`, which may be different for two calls. */
const comparable = ({ instance, ...others }: Members): Members => others
