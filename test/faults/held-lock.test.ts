import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { expect, test } from 'vitest'
import { freshDatabase } from '../support/database.ts'
import { service } from '../support/definitions.ts'
import { onBothDesks, type Said, testShop } from '../support/desk.ts'
import { business, CLASS, classOfOne, lineOf } from '../waitlist/queue.ts'

const HELD_MS = 2_000
const SOON_MS = 1_000
const CALLERS = 40

/** Classes that all of them find room in. */
const crowded = {
  ...business,
  services: [{ ...classOfOne, capacity: { max: 1_000, waitlist: true } }, service('svc_plain')],
}

async function timed(work: Promise<Said>) {
  const begun = performance.now()
  const { status, code } = await work
  return { status, code, isSoon: performance.now() - begun < SOON_MS }
}

await onBothDesks(
  async () => {
    const databaseUrl = await freshDatabase()
    return { ...(await testShop(crowded, { databaseUrl })), databaseUrl }
  },
  (desk, shop) => {
    /** Does the work while somebody else has the lock. */
    async function whileHeld(lock: string, values: unknown[], work: () => Promise<void>) {
      const holder = new pg.Client(shop.databaseUrl)
      await holder.connect()
      await holder.query('begin')
      await holder.query(lock, values)
      const released = setTimeout(HELD_MS).then(() => holder.end())
      await work()
      await released
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

    test.each(cases)(
      '[one lock stops nobody else] while forty callers %s others read and book at once',
      async (what, hold) => {
        const { lock, values, come } = await hold()
        const plain = (await desk.slots('svc_plain')).at(cases.findIndex(([one]) => one === what))
        await whileHeld(lock, values, async () => {
          const waiting = Array.from({ length: CALLERS }, (_, number) => come(number))
          await setTimeout(200)
          const meanwhile = [
            desk.call('usp_services_get', { service_id: CLASS }, { as: {} }),
            shop.raw({ method: 'GET', url: '/readyz' }).then(({ status }) => ({ status }) as Said),
            desk.book(plain),
          ]
          for (const { status, isSoon, code } of await Promise.all(meanwhile.map(timed)))
            expect({ isOk: status < 300, code, isSoon }).toEqual({ isOk: true, code: undefined, isSoon: true })
          // None of them is turned away: each has an answer of its own once the lock is free.
          for (const { code } of await Promise.all(waiting)) expect(code).not.toBe('service_unavailable')
        })
      },
    )
  },
)
