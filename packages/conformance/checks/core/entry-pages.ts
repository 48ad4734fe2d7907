import { expectEqual, expectList, expectMembers, expectText, expectTrue } from '../../run/expectations.ts'
import { check } from '../check.ts'
import { join } from '../transactions/waitlist-steps.ts'

export const entryPageChecks = [
  check(
    'PAG-024 PAG-025',
    'A list of waitlist entries has a cursor while more entries follow; the cursor shows another platform nothing',
    async (c) => {
      const own = [await join(c), await join(c)].map(({ entry }) => entry.id)
      const other = c.newPlatform().caller
      await join(c, { caller: other })
      const first = (await c.caller.call('listWaitlist', { pagination: { limit: 1 } })).success()
      const { next_cursor, total = 2 } = expectMembers(first.pagination, 'pagination')
      const cursor = expectText(next_cursor, 'next_cursor while more entries follow')
      expectTrue(Number.isInteger(total), 'an integer in total', total)
      const second = (await c.caller.call('listWaitlist', { pagination: { limit: 1, cursor } })).success()
      expectEqual(
        expectMembers(second.pagination ?? {}, 'pagination').next_cursor,
        undefined,
        'next_cursor of the last page',
      )
      const foreign = await other.call('listWaitlist', { pagination: { limit: 1, cursor } })
      const entries = foreign.result?.entries === undefined ? [] : expectList(foreign.result.entries, 'entries')
      const shown = entries.filter(({ id }) => own.includes(String(id)))
      expectEqual(shown, [], 'the entries that another platform sees with the cursor')
    },
    { needs: ['services.waitlist'] },
  ),
]
