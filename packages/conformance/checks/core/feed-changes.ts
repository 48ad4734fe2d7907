import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { asMembers, type Members } from '../../caller/answer.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual, expectList, expectText, expectTrue } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import type { Staff } from '../../staff/staff.ts'
import { channelOf, isPaidAhead } from '../../target/service-kinds.ts'
import { check } from '../check.ts'
import { readAll, readPage, readPages } from './pages.ts'
import { dataOf, withoutHint } from './service-facts.ts'

const options = { isAlone: true, needs: ['services.availability'] }

/** Returns the staff action with this name. Skips the check if the staff adapter does not support it. */
function action<Name extends 'setServiceStatus' | 'removeService'>({ staff }: CheckContext, name: Name) {
  if (!staff[name]) throw new Skip(`The staff adapter does not support the action ${name}.`)
  return staff[name].bind(staff) as NonNullable<Staff[Name]>
}

/** Returns a service that the check may change, preferably one that few other checks use. */
const changeable = ({ services }: CheckContext): Members & { id: string } => {
  const service = services.findLast((one) => !isPaidAhead(one) && channelOf(one) !== 'at_buyer_location')
  if (!service) throw new Skip('The catalogue has no service without payment in advance.')
  return { ...service, id: expectText(service.id, 'id') }
}

/** Restores the catalogue after the check. Waits until the server no longer uses a cached catalogue. */
function restoreAfterwards(c: CheckContext, restore: () => Promise<void>): void {
  c.afterwards(async () => {
    await restore()
    await sleep(1500)
  })
}

/**
 * Queries slots until the answer is empty, for some seconds. The server may use a cached catalogue for a short time.
 */
async function slotsAtLast({ anonymous }: CheckContext, query: Members): Promise<unknown> {
  for (let attempt = 1; ; attempt++) {
    const { slots } = (await anonymous.call('queryAvailability', query)).success()
    if (attempt === 4 || (Array.isArray(slots) && slots.length === 0)) return slots
    await sleep(1000)
  }
}

/** Returns the cursor after the last page of the feed. A reader can resume from this cursor. */
async function endOfFeed({ anonymous }: CheckContext): Promise<string> {
  const last = (await readPages(anonymous, 'readFeed', {})).at(-1)
  return expectText(last?.pagination.next_cursor, 'next_cursor of the last page')
}

/**
 * Returns the feed record of the service. Requires that this record is the only one after the cursor, except records
 * with new availability hints.
 */
async function nextRecord({ anonymous, services }: CheckContext, cursor: string, id: string) {
  const { items: all, pagination, result } = await readPage(anonymous, 'readFeed', {}, { cursor })
  const isNewHint = (data: Members) =>
    data.id !== id && services.some((service) => isDeepStrictEqual(withoutHint(service), withoutHint(data)))
  const items = all.filter((item) => !isNewHint(dataOf(item)))
  expectEqual(
    items.map((item) => dataOf(item).id),
    [id],
    'the records after the change of one service',
  )
  const total = Number(asMembers(result.feed_meta)?.total_services)
  return { item: items[0] ?? {}, cursor: expectText(pagination.next_cursor, 'next_cursor'), total }
}

export const feedChangeChecks = [
  check(
    'FEED-016 FEED-017 FEED-022 FEED-023',
    'A suspended service moves to the end of the feed, with its new status',
    async (c) => {
      const setStatus = action(c, 'setServiceStatus')
      const { id } = changeable(c)
      await setStatus(id, 'active')
      const before = (await readAll(c.anonymous, 'readFeed')).find((item) => dataOf(item).id === id)
      const cursor = await endOfFeed(c)
      restoreAfterwards(c, () => setStatus(id, 'active'))
      await setStatus(id, 'suspended')
      const suspended = await nextRecord(c, cursor, id)
      expectEqual(suspended.item.state, 'updated', 'the state of the record')
      expectEqual(dataOf(suspended.item).status, 'suspended', 'the status of the service')
      const [earlier, later] = [before, suspended.item].map((item) => Date.parse(String(item?.modified_at)))
      expectTrue(Number(later) > Number(earlier), 'a later modified_at', suspended.item.modified_at)
      const all = (await readAll(c.anonymous, 'readFeed')).filter((item) => dataOf(item).id === id)
      expectEqual(all, [suspended.item], 'the records of the service in the whole feed')
      await setStatus(id, 'suspended')
      const { items } = await readPage(c.anonymous, 'readFeed', {}, { cursor: suspended.cursor })
      expectEqual(
        items.filter((item) => dataOf(item).id === id),
        [],
        'the records after a change without effect',
      )
      await setStatus(id, 'active')
      const active = await nextRecord(c, suspended.cursor, id)
      expectEqual(dataOf(active.item).status ?? 'active', 'active', 'the status of the service')
    },
    options,
  ),
  check(
    'CAT-072 FEED-066',
    'Each operation of the catalogue shows the status of a suspended service',
    async (c) => {
      const setStatus = action(c, 'setServiceStatus')
      const { id } = changeable(c)
      restoreAfterwards(c, () => setStatus(id, 'active'))
      await setStatus(id, 'suspended')
      const { service } = (await c.anonymous.call('getService', { service_id: id })).success()
      expectEqual(asMembers(service)?.status, 'suspended', 'the status of the service')
      const listed = await readAll(c.anonymous, 'listServices')
      const found = (await c.anonymous.call('lookupServices', { ids: [id] })).success()
      // A list may omit a suspended service. But it must not show the service as active.
      for (const one of [...listed, ...expectList(found.services, 'services')])
        if (one.id === id) expectEqual(one.status, 'suspended', 'the status of the service in a list')
    },
    options,
  ),
  check(
    'AVL-070 CAT-073',
    'A suspended service has no slots, and its old slots cannot be held or booked',
    async (c) => {
      const setStatus = action(c, 'setServiceStatus')
      const { id } = changeable(c)
      const service = c.services.find((one) => one.id === id) ?? {}
      const slot = await c.slot(service)
      restoreAfterwards(c, () => setStatus(id, 'active'))
      await setStatus(id, 'suspended')
      const query = { service_id: id, start_date: slot.start, end_date: slot.end }
      expectEqual(await slotsAtLast(c, query), [], 'the slots')
      const held = await c.caller.call('hold', { service_id: id, slot_id: slot.id })
      held.refusedWith('slot_unavailable')
      const booked = await c.caller.call('book', c.bookingOf(slot))
      booked.refusedWith('slot_unavailable')
    },
    { ...options, needs: ['services.availability', 'services.bookings'] },
  ),
  check(
    'FEED-005 FEED-020 FEED-021 FEED-026',
    'The feed shows a removed service as a record without data, until the service exists again',
    async (c) => {
      const remove = action(c, 'removeService')
      const { id } = changeable(c)
      const early = await readPage(c.anonymous, 'readFeed', {}, { limit: 1 })
      const cursor = await endOfFeed(c)
      const total = Number(asMembers(early.result.feed_meta)?.total_services)
      const restore = await remove(id)
      restoreAfterwards(c, restore)
      const removed = await nextRecord(c, cursor, id)
      expectEqual(removed.item.state, 'deleted', 'the state of the record')
      expectEqual(Object.keys(dataOf(removed.item)).toSorted(), ['business_id', 'id'], 'the data of the record')
      expectEqual(removed.total, total - 1, 'total_services')
      const position = { cursor: early.pagination.cursor }
      const resumed = await readAll(c.anonymous, 'readFeed', position.cursor === null ? {} : position)
      const record = resumed.find((item) => dataOf(item).id === id)
      expectEqual(record?.state, 'deleted', 'the state of the record for a reader who resumes from an early cursor')
      await restore()
      const restored = await nextRecord(c, removed.cursor, id)
      expectEqual(restored.item.state, 'updated', 'the state of the record of the restored service')
    },
    options,
  ),
]
