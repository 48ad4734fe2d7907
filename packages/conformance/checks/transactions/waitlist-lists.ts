import type { Members } from '../../caller/answer.ts'
import { expectEqual, expectList, expectMembers } from '../../run/expectations.ts'
import { check } from '../check.ts'
import { anyWaitlistService, hasWaitlist, join, leave } from './waitlist-steps.ts'

const needs = ['services.waitlist']

export const waitlistListChecks = [
  check(
    'WTL-014 WTL-016',
    'A list shows all entries of the platform, and none of another platform',
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
      expectEqual(
        ids((await other.call('listWaitlist')).success().entries),
        [foreign.id],
        'the entries of the other platform',
      )
    },
    { needs, newPlatform: true },
  ),
  check(
    'WTL-018',
    'The total of a list counts only entries that match the filters',
    async (c) => {
      await join(c)
      const { entry } = await join(c)
      await leave(c, entry)
      const { pagination } = (await c.caller.call('listWaitlist', { status: 'waiting' })).success()
      expectEqual(expectMembers(pagination, 'pagination').total, 1, 'total')
    },
    { needs, newPlatform: true },
  ),
  check(
    'WTL-015',
    'A list of entries can be filtered by service and by status',
    async (c) => {
      const one = anyWaitlistService(c)
      const another = c.services.find((service) => hasWaitlist(service) && service !== one)
      const { entry: waiting } = await join(c, { service_id: one.id })
      const { entry: left } = await join(c, { service_id: (another ?? one).id })
      await leave(c, left)
      const list = async (input: Members) => ids((await c.caller.call('listWaitlist', input)).success().entries)
      expectEqual(await list({ status: 'waiting' }), [waiting.id], 'the entries in status waiting')
      expectEqual(await list({ status: 'removed' }), [left.id], 'the entries in status removed')
      expectEqual(await list({ status: 'accepted' }), [], 'the entries in status accepted')
      const ofService = another ? [waiting.id] : [waiting.id, left.id].toSorted()
      expectEqual(await list({ service_id: one.id }), ofService, 'the entries of one service')
    },
    { needs, newPlatform: true },
  ),
  check(
    'WTL-017 WTL-019',
    'Following the cursors returns each entry exactly once',
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
        answer.failsWith('validation_error')
      }
    },
    { needs, newPlatform: true },
  ),
  check(
    'WTL-020',
    'The server refuses a list of entries with an unknown status',
    async (c) => {
      const answer = await c.caller.call('listWaitlist', { status: 'impatient' })
      answer.failsWith('validation_error')
    },
    { needs, newPlatform: true },
  ),
]

const ids = (entries: unknown) =>
  expectList(entries, 'entries')
    .map(({ id }) => id)
    .toSorted()
