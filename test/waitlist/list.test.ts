import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { service } from '../support/definitions.ts'
import { expectProblem, onBothDesks } from '../support/desk.ts'
import { business, CLASS, classOfOne, lineOf, openShop, person } from './queue.ts'

const two = {
  ...business,
  services: [classOfOne, { ...classOfOne, id: 'svc_other', name: 'Other' }, service('svc_plain')],
}

await onBothDesks(
  () => openShop(two),
  (desk, shop) => {
    const { join, list, leave, read, accept, decline } = lineOf(desk)
    const status = (said: { status: number }, wanted: number) => (desk.binding === 'REST' ? said.status : wanted)

    test('[stored values stall nobody] of entries with long texts a page has fewer', async () => {
      const as = await shop.newPlatform()
      for (const name of ['Ida', 'Jon', 'Kim']) await join(name, { service_id: 'svc_other' }, { as })
      const preferred = JSON.stringify([{ time_of_day: 'long '.repeat(100_000) }])
      await sql`update waitlist_entries set preferred = ${preferred} where buyer ->> 'first_name' in ('Ida', 'Jon', 'Kim')`.execute(
        shop.runtime.db,
      )
      const { entries, pagination } = (await list({}, { as })).data
      expect(entries).toHaveLength(2)
      const next = (await list({ pagination: { cursor: pagination.next_cursor } }, { as })).data
      expect([next.entries.length, next.pagination]).toEqual([1, { total: 3 }])
      for (const { id } of [...entries, ...next.entries]) await leave(id, {}, { as })
    })

    test('[WTL-014] [WTL-015] [WTL-016] [WTL-017] [WTL-018] [PAG-024] a platform lists its own entries, by service and status, in pages', async () => {
      const ids = []
      for (const name of ['Ann', 'Bob', 'Cid']) ids.push((await join(name)).data.entry.id)
      const { data } = await join('Dan', { service_id: 'svc_other' })
      await join('Eve', {}, { as: shop.other })
      await leave(ids[1])

      expect((await list()).data).toMatchObject({ pagination: { total: 4 } })
      const found = async (more: object) => (await list({ ...more })).data.entries.map(({ id }: { id: string }) => id)
      expect(await found({})).toEqual([...ids, data.entry.id])
      expect(await found({ service_id: 'svc_other' })).toEqual([data.entry.id])
      expect(await found({ status: 'removed' })).toEqual([ids[1]])
      expect(await found({ status: 'waiting', service_id: CLASS })).toEqual([ids[0], ids[2]])

      const paged: string[] = []
      let cursor: string | undefined
      do {
        const page = (await list({ pagination: { limit: 1, ...(cursor && { cursor }) } })).data
        expect(page.pagination.total).toBe(4)
        paged.push(...page.entries.map(({ id }: { id: string }) => id))
        cursor = page.pagination.next_cursor
      } while (cursor)
      expect(paged).toEqual([...ids, data.entry.id])
    })

    test('[PAG-025] the cursor of one platform shows another nothing', async () => {
      const { next_cursor: cursor } = (await list({ pagination: { limit: 1 } })).data.pagination
      const stolen = await list({ pagination: { limit: 1, cursor } }, { as: shop.other })
      expect(stolen.code).toBe('cursor_expired')
      expect(stolen.data.entries).toBeUndefined()
    })

    test.each([
      ['[WTL-019] a limit of 0', { pagination: { limit: 0 } }],
      ['[WTL-019] a negative limit', { pagination: { limit: -1 } }],
      ['[WTL-020] a status that is none', { status: 'sleeping' }],
    ])('%s is refused', async (_, input) => {
      const refused = await list(input)
      expect([refused.code, status(refused, 422)]).toEqual(['validation_error', 422])
    })

    test('[WTL-021] the owner reads its entry', async () => {
      const { data } = await join('Fay')
      expect((await read(data.entry.id)).data.entry).toEqual(data.entry)
    })

    test.each(['read', 'leave', 'accept', 'decline'] as const)(
      '[LIV-002] [LIV-005] an entry that does not exist is not found: %s',
      async (act) => {
        expectProblem(await { read, leave, accept, decline }[act]('wle_none'), 'entry_not_found')
      },
    )

    test('[LIV-005] [WTL-023] for others an entry is no more there than one that never was', async () => {
      const { data } = await join('Gus')
      for (const act of [read, leave, accept, decline]) {
        const [theirs, nobodys] = [
          await act(data.entry.id, {}, { as: shop.other }),
          await act('wle_none', {}, { as: shop.other }),
        ]
        expectProblem(theirs, 'entry_not_found')
        const { instance: _, ...told } = theirs.data
        expect(nobodys.data).toMatchObject(told)
      }
      expect((await read(data.entry.id)).data.entry).toEqual(data.entry)
    })

    test('[WTL-057] consent is kept with the buyer', async () => {
      const buyer = { ...person('Hal'), consent: { marketing: true } }
      const { data } = await join('Hal', { buyer })
      expect((await read(data.entry.id)).data.entry.buyer.consent).toEqual({ marketing: true })
    })
  },
)
