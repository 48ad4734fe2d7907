import type { Members } from '../../caller/answer.ts'
import { expectEqual, expectList, expectMembers } from '../../run/expectations.ts'
import { check } from '../check.ts'
import { hasWaitlist, join } from './waitlist-scene.ts'

const needs = ['services.waitlist']
const INVALID = { rest: 422, mcp: -32602 }

export const waitlistListChecks = [
  check(
    'WTL-014 WTL-016',
    'A platform lists its own entries, and never those of another platform',
    async (c) => {
      const other = c.newPlatform().caller
      const { entry: foreign } = await join(c, { caller: other })
      const { entry: first } = await join(c)
      const { entry: second } = await join(c)
      const { entries, pagination } = (await c.caller.call('listWaitlist')).success()
      expectEqual(ids(entries), [first.id, second.id].toSorted(), 'the entries of the platform')
      for (const entry of expectList(entries, 'entries'))
        c.schemas.expectValid('waitlist#WaitlistEntry', entry, 'an entry')
      const { total = 2 } = (pagination ?? {}) as Members
      expectEqual(total, 2, 'total, if the server counts the entries')
      expectEqual(ids((await other.call('listWaitlist')).success().entries), [foreign.id], 'the entries of the other')
    },
    { needs, newPlatform: true },
  ),
  check(
    'WTL-018',
    'The list counts the entries that match the filters',
    async (c) => {
      await join(c)
      const { entry } = await join(c)
      await c.caller.call('leaveWaitlist', { entry_id: entry.id })
      const { pagination } = (await c.caller.call('listWaitlist', { status: 'waiting' })).success()
      expectEqual(expectMembers(pagination, 'pagination').total, 1, 'total')
    },
    { needs, newPlatform: true },
  ),
  check(
    'WTL-015',
    'A list of entries is filtered by service and by status',
    async (c) => {
      const [one, another] = c.services.filter(hasWaitlist)
      const { entry: waiting } = await join(c, { service_id: c.service('service with a waitlist', hasWaitlist).id })
      const { entry: left } = await join(c, { service_id: (another ?? one)?.id })
      await c.caller.call('leaveWaitlist', { entry_id: left.id })
      const list = async (input: Members) => ids((await c.caller.call('listWaitlist', input)).success().entries)
      expectEqual(await list({ status: 'waiting' }), [waiting.id], 'the entries in status waiting')
      expectEqual(await list({ status: 'removed' }), [left.id], 'the entries in status removed')
      expectEqual(await list({ status: 'accepted' }), [], 'the entries in status accepted')
      const ofService = another ? [waiting.id] : [waiting.id, left.id].toSorted()
      expectEqual(await list({ service_id: one?.id }), ofService, 'the entries of one service')
    },
    { needs, newPlatform: true },
  ),
  check(
    'WTL-017 WTL-019',
    'Cursors lead through each entry exactly once',
    async (c) => {
      const joined = [await join(c), await join(c), await join(c)].map(({ entry }) => entry.id)
      const found: unknown[] = []
      let cursor: unknown
      do {
        const pagination = { limit: 1, ...(cursor !== undefined && { cursor }) }
        const result = (await c.caller.call('listWaitlist', { pagination })).success()
        const page = expectList(result.entries, 'entries')
        expectEqual(page.length, 1, 'the number of entries on a page with the limit 1')
        found.push(page[0]?.id)
        cursor = expectMembers(result.pagination, 'pagination').next_cursor
      } while (typeof cursor === 'string' && found.length <= joined.length)
      expectEqual(cursor, undefined, 'next_cursor of the last page')
      expectEqual(found.toSorted(), joined.toSorted(), 'the entries of all pages')
      for (const limit of [0, -1]) {
        const answer = await c.caller.call('listWaitlist', { pagination: { limit } })
        answer.failsWith('validation_error', INVALID)
      }
    },
    { needs, newPlatform: true },
  ),
  check(
    'WTL-020',
    'A list of entries with an unknown status is refused',
    async (c) => {
      const answer = await c.caller.call('listWaitlist', { status: 'impatient' })
      answer.failsWith('validation_error', INVALID)
    },
    { needs, newPlatform: true },
  ),
]

const ids = (entries: unknown) =>
  expectList(entries, 'entries')
    .map(({ id }) => id)
    .toSorted()
