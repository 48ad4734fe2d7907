import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { verify } from '../../src/core/ledger/verify-ledger.ts'
import { onBothDesks } from '../support/desk.ts'
import { business, lineOf } from '../waitlist/queue.ts'
import { expectValidEvent, toldShop } from './told-shop.ts'

interface Delivery {
  event: string
  event_id: string
  status: string
  attempts: number
}

await onBothDesks(
  () => toldShop(business),
  (desk, shop) => {
    const { wait, fill, entry, leave, decline, list } = lineOf(desk)
    const { db } = shop.runtime
    const brief = (bodies: Awaited<ReturnType<typeof shop.told>>) =>
      bodies
        .filter(({ event }) => event.startsWith('waitlist.'))
        .map((body) => {
          expectValidEvent(body)
          return [body.entry_id, body.event, body.data.position, body.data.status]
        })
    const told = async () => brief(await shop.told())
    const deliveriesOf = async ({ id }: { id: string }): Promise<Delivery[]> => {
      const input = { subject: `entry ${id}` }
      return (await desk.call('usp_business_deliveries_list', input, { as: shop.staff })).data.deliveries
    }
    /** Every class is booked, and these wait in line. */
    async function line(...names: string[]) {
      const began = shop.time.now
      const bookings = await fill()
      const entries: { id: string }[] = []
      for (const name of names) entries.push(await wait(name))
      return {
        entries,
        bookings,
        async close() {
          shop.receiver.answer = 204
          for (const { id, status } of (await list()).data.entries)
            if (['waiting', 'offered'].includes(status)) await leave(id)
          for (const { id } of bookings) await desk.cancel(id)
          await shop.toldAfter(3_600)
          shop.time.now = began
          expect((await verify(db, shop.time.now)).findings.listed).toEqual([])
        },
      }
    }

    test('[EVT-032] [a newer position replaces an older one] of several that nobody began to send only the newest is sent', async () => {
      const { entries, close } = await line('Ann', 'Bob', 'Cid', 'Dan')
      const [ann, bob, cid, dan] = entries as [{ id: string }, { id: string }, { id: string }, { id: string }]
      await leave(ann.id)
      const [first] = await deliveriesOf(dan)
      shop.minutesLater(1)
      await leave(bob.id)
      // One delivery of each waits. It carries an event of its own, and the older event is gone.
      const [second, ...others] = await deliveriesOf(dan)
      expect([second?.status, others]).toEqual(['waiting', []])
      expect(second?.event_id).not.toBe(first?.event_id)
      const { rows } = await sql`select from events where id = ${first?.event_id}`.execute(db)
      expect(rows).toEqual([])
      const bodies = await shop.told()
      const order = [bob.id, cid.id, dan.id]
      expect(brief(bodies).toSorted(([one], [other]) => order.indexOf(one) - order.indexOf(other))).toEqual([
        [bob.id, 'waitlist.position_changed', 1, 'waiting'],
        [cid.id, 'waitlist.position_changed', 1, 'waiting'],
        [dan.id, 'waitlist.position_changed', 2, 'waiting'],
      ])
      const body = bodies.find(({ entry_id }) => entry_id === dan.id)
      expect(Date.parse(body?.timestamp)).toBe(shop.time.now.getTime())
      expect((await entry(dan.id)).revision).toBe(body?.data.revision)
      expect(await told()).toEqual([])
      await close()
    })

    test('[a replaced position keeps its turn] entries whose positions change all the time are told in the order in which they first waited', async () => {
      const { entries, close } = await line('Ann', 'Bob', 'Cid')
      const [ann, bob, cid] = entries as [{ id: string }, { id: string }, { id: string }]
      const began = shop.time.now
      await leave(ann.id)
      shop.minutesLater(1)
      await leave(bob.id)
      const { rows } = await sql<{ next_at: Date }>`
        select next_at from deliveries where subject = ${`entry ${cid.id}`} and status = 'waiting'`.execute(db)
      expect(rows).toEqual([{ next_at: began }])
      await close()
    })

    test('[EVT-007] [EVT-040] [a position that was tried stays] it is tried again as it was, and the newer one comes after it', async () => {
      const { entries, close } = await line('Ann', 'Bob', 'Cid', 'Dan')
      const [ann, bob, cid, dan] = entries as [{ id: string }, { id: string }, { id: string }, { id: string }]
      shop.receiver.answer = 500
      await leave(ann.id)
      const failed = (await shop.told()).find(({ entry_id }) => entry_id === dan.id)
      await leave(bob.id)
      await leave(cid.id)
      expect((await deliveriesOf(dan)).map(({ status, attempts }) => [status, attempts])).toEqual([
        ['waiting', 0],
        ['waiting', 1],
      ])
      shop.receiver.answer = 204
      const again = (await shop.toldAfter(30)).filter(({ entry_id }) => entry_id === dan.id)
      expect(again.map(({ data }) => data.position)).toEqual([3, 1])
      expect(again[0]).toEqual(failed)
      await close()
    })

    test('[EVT-029] [an offer waits behind no position of its entry] it replaces one that nobody began to send', async () => {
      const { entries, bookings, close } = await line('Ann', 'Bob')
      const [ann, bob] = entries as [{ id: string }, { id: string }]
      await leave(ann.id)
      await desk.cancel(bookings[0].id)
      expect(await deliveriesOf(bob)).toMatchObject([{ event: 'waitlist.spot_offered', status: 'waiting' }])
      expect((await told()).filter(([id]) => id === bob.id)).toEqual([[bob.id, 'waitlist.spot_offered', 1, 'offered']])
      // Nothing replaces an offer.
      await decline(bob.id)
      await close()
    })

    test('[EVT-029] [an offer waits behind no position of its entry] it ends one that failed and waits for its retry', async () => {
      const { entries, bookings, close } = await line('Ann', 'Bob')
      const [ann, bob] = entries as [{ id: string }, { id: string }]
      shop.receiver.answer = 500
      await leave(ann.id)
      await shop.told()
      shop.receiver.answer = 204
      await desk.cancel(bookings[0].id)
      expect((await told()).filter(([id]) => id === bob.id)).toEqual([[bob.id, 'waitlist.spot_offered', 1, 'offered']])
      expect(await deliveriesOf(bob)).toMatchObject([
        { event: 'waitlist.spot_offered', status: 'delivered' },
        { event: 'waitlist.position_changed', status: 'unwanted', attempts: 1 },
      ])
      expect((await shop.toldAfter(3_600)).filter(({ event }) => event === 'waitlist.position_changed')).toEqual([])
      await close()
    })

    test('[EVT-029] [an offer is never replaced] a position that changes after it is sent after it', async () => {
      const { entries, bookings, close } = await line('Ann', 'Bob', 'Cid')
      const [ann, bob] = entries as [{ id: string }, { id: string }]
      await desk.cancel(bookings[0].id)
      await desk.cancel(bookings[1].id)
      await leave(ann.id)
      expect((await told()).filter(([id]) => id === bob.id)).toEqual([
        [bob.id, 'waitlist.spot_offered', 2, 'offered'],
        [bob.id, 'waitlist.position_changed', 1, 'offered'],
      ])
      await close()
    })
  },
)
