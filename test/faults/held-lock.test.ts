import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { expect, test } from 'vitest'
import { freshDatabase } from '../support/database.ts'
import { onBothDesks, type Said, testShop } from '../support/desk.ts'
import { business, CLASS, lineOf } from '../waitlist/queue.ts'

const HELD_MS = 2_000
const SOON_MS = 1_000

async function timed(work: Promise<Said>) {
  const begun = performance.now()
  const { status, code } = await work
  return { status, code, isSoon: performance.now() - begun < SOON_MS }
}

await onBothDesks(
  async () => {
    const databaseUrl = await freshDatabase()
    return { ...(await testShop(business, { databaseUrl })), databaseUrl }
  },
  (desk, shop) => {
    const line = lineOf(desk)
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

    test.each([
      ['join a locked waitlist', `select pg_advisory_xact_lock(hashtextextended('waitlist', 0))`, []],
      ['book a locked class', 'select from sessions where service_id = $1 for update', [CLASS]],
    ])(
      '[one lock stops nobody else] while forty callers %s others read and book at once',
      async (what, lock, values) => {
        const [slot] = await desk.slots(CLASS)
        const [plain] = await desk.slots('svc_plain')
        const come = (number: number) => (what.startsWith('join') ? line.join(`Waiting${number}`) : desk.book(slot))
        await whileHeld(lock, values, async () => {
          const waiting = Array.from({ length: 40 }, (_, number) => come(number))
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
