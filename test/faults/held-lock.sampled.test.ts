import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { expect, test } from 'vitest'
import { sampling } from '../support/case-sampling.ts'
import { freshDatabase } from '../support/database.ts'
import { service } from '../support/definitions.ts'
import { onBothDesks, type Said, testShop } from '../support/desk.ts'
import { business, CLASS, classOfOne, lineOf } from '../waitlist/queue.ts'

/** Nobody waits for as long who waits for nothing, however busy the machine; and whoever waits for a lock is not turned away yet. */
const MOST_MS = 4_000
const CALLERS = 40

/** Classes that all of them find room in. */
const crowded = {
  ...business,
  services: [{ ...classOfOne, capacity: { max: 1_000, waitlist: true } }, service('svc_plain')],
}

const sampled = sampling()
await onBothDesks(
  async () => {
    const databaseUrl = await freshDatabase()
    return { ...(await testShop(crowded, { databaseUrl })), databaseUrl }
  },
  (desk, shop) => {
    /** Takes the lock as somebody else; gives what lets it go. */
    async function take(lock: string, values: unknown[]) {
      const holder = new pg.Client(shop.databaseUrl)
      await holder.connect()
      await holder.query('begin')
      await holder.query(lock, values)
      return () => holder.end()
    }

    const line = lineOf(desk)
    const staff = (what: string, input: object) =>
      desk.call(`usp_business_bookings_${what}`, { ...input }, { as: shop.staff })
    const classes = 'select from sessions where service_id = $1 for update'
    /** So many bookings of the second class. */
    const booked = async () => {
      const [, second] = await desk.slots(CLASS)
      const all = []
      for (let number = 0; number < CALLERS; number++) all.push((await desk.book(second)).data.booking)
      return all
    }
    type Come = (number: number) => Promise<Said>
    interface Held {
      lock: string
      values: unknown[]
      come: Come
    }
    const cases: [string, () => Promise<Held>][] = [
      [
        'join a locked waitlist',
        async () => ({
          lock: `select pg_advisory_xact_lock(hashtextextended('waitlist', 0))`,
          values: [],
          come: (number) => line.join(`Waiting${number}`),
        }),
      ],
      [
        'book a locked class',
        async () => {
          const [slot] = await desk.slots(CLASS)
          return { lock: classes, values: [CLASS], come: () => desk.book(slot) }
        },
      ],
      [
        'book a locked class for others, at the desk',
        async () => {
          const [{ start }] = await desk.slots(CLASS)
          const request = { service_id: CLASS, start, buyer: { first_name: 'Walk-in' } }
          return { lock: classes, values: [CLASS], come: () => staff('create', request) }
        },
      ],
      [
        'move bookings into a locked class, at the desk',
        async () => {
          const [[{ start }], bookings] = [await desk.slots(CLASS), await booked()]
          const come: Come = (number) => staff('reschedule', { booking_id: bookings[number].id, start })
          return { lock: classes, values: [CLASS], come }
        },
      ],
      [
        'move their bookings into a locked class',
        async () => {
          const [[slot], bookings] = [await desk.slots(CLASS), await booked()]
          return { lock: classes, values: [CLASS], come: (number) => desk.reschedule(bookings[number].id, slot) }
        },
      ],
      [
        'cancel a locked booking, at the desk',
        async () => {
          const { id } = (await desk.book((await desk.slots(CLASS))[0])).data.booking
          const lock = 'select from bookings where id = $1 for update'
          return { lock, values: [id], come: () => staff('cancel', { booking_id: id }) }
        },
      ],
    ]

    test.each(sampled(cases))(
      '[one lock stops nobody else] while forty callers %s others read and book at once',
      async (what, hold) => {
        const { lock, values, come } = await hold()
        const plain = (await desk.slots('svc_plain')).at(cases.findIndex(([one]) => one === what))
        const letGo = await take(lock, values)
        let isHeld = true
        const turnedAway: unknown[] = []
        const waiting = Array.from({ length: CALLERS }, async (_, number) => {
          const { code } = await come(number)
          if (isHeld && code === 'service_unavailable') turnedAway.push(code)
        })
        await setTimeout(200)
        const meanwhile = Promise.all([
          desk.call('usp_services_get', { service_id: CLASS }, { as: {} }),
          shop.raw({ method: 'GET', url: '/readyz' }).then(({ status }) => ({ status }) as Said),
          desk.book(plain),
        ])
        const answers = await Promise.race([meanwhile, setTimeout(MOST_MS, 'wait for the lock')])
        isHeld = false
        await letGo()
        await Promise.all(waiting)
        if (typeof answers === 'string') throw new Error(`Others ${answers}`)
        for (const { status, code } of answers) expect([status < 300, code]).toEqual([true, undefined])
        // Whoever waits for the lock is not turned away yet; how many come to their turn then, the machine decides.
        expect(turnedAway).toEqual([])
      },
    )
  },
)
