import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { expireOverdue } from '../../src/domain/bookings/expire-overdue-bookings.ts'
import { openDatabase } from '../../src/infra/db/database.ts'
import { freshDatabase } from '../support/database.ts'
import { businessWith, service } from '../support/definitions.ts'
import { type Ask, mcpDesk, restDesk } from '../support/desk.ts'
import { openPostgresCut } from '../support/postgres-cut.ts'
import { soon, toldShop } from './told-shop.ts'

const policies = service('any').policies
const definition = businessWith([
  service('svc_auto'),
  service('svc_manual', { policies: { ...policies, confirmation_mode: 'manual' } }),
  service('svc_paid', { policies: { ...policies, payment_timing: 'at_booking' } }),
])
const databaseUrl = await freshDatabase()
const database = await openPostgresCut(databaseUrl)
const shop = await toldShop(definition, { databaseUrl: database.url })
const desks = [restDesk(shop), mcpDesk(shop)]
const db = openDatabase(databaseUrl, 2, () => {})
afterAll(() => db.destroy())

/** A retry comes under the same key; what a job does is done by its next run. */
const changes = desks.flatMap((desk) => {
  const of = (name: string, service: string, act: (id: string, ask: Ask) => Promise<unknown>) => ({
    name: `${name} over ${desk.binding}`,
    desk,
    service,
    act,
  })
  return [
    of('canceling', 'svc_auto', (id, ask) => desk.cancel(id, {}, ask)),
    of('confirming', 'svc_manual', (id, ask) => desk.confirm(id, {}, ask)),
    of('rescheduling', 'svc_auto', async (id, ask) => desk.reschedule(id, spare.slot, {}, ask)),
    of('paying', 'svc_paid', (id, ask) => desk.pay({ id, payment: { amount_due: 7500, currency: 'USD' } }, {}, ask)),
  ]
})
const jobs = [
  {
    name: 'expiring',
    desk: restDesk(shop),
    service: 'svc_manual',
    act: async () => {
      shop.minutesLater(25 * 60)
      await expireOverdue(shop.runtime, shop.time.now)
    },
  },
]
const spare: { slot: object } = { slot: {} }

/** How often the booking has changed since it was made, and how often that was written down to be told. */
async function changesAndEvents(id: string) {
  const booking = await db.selectFrom('bookings').select('revision').where('id', '=', id).executeTakeFirstOrThrow()
  const of = db.selectFrom('events').where('subject', '=', `booking ${id}`)
  const deliveries = db.selectFrom('deliveries').where('subject', '=', `booking ${id}`)
  return {
    changes: Number(booking.revision) - 1,
    events: (await of.select('id').execute()).length,
    deliveries: (await deliveries.select('id').execute()).length,
  }
}
const none = { changes: 0, events: 0, deliveries: 0 }
const one = { changes: 1, events: 1, deliveries: 1 }

test.each([...changes, ...jobs])(
  '[EVT-046] [EVT-047] [EVT-048] $name commits with its event or not at all, wherever between begin and reply the server dies',
  async ({ desk, service: id, act }) => {
    const steps: string[] = []
    for (let step = 0, what: 'message' | 'answer' = 'message'; ; ) {
      const [slot, other] = (await desk.slots(id, soon(shop))).slice(-2)
      spare.slot = other
      const { booking } = (await desk.book(slot)).data
      expect(await changesAndEvents(booking.id)).toEqual(none)
      const ask = { idempotencyKey: randomUUID() }
      database.cutAt(step, what)
      await act(booking.id, ask).catch(() => {})
      const lost = database.lost()
      if (lost === undefined) {
        expect(await changesAndEvents(booking.id)).toEqual(one)
        await desk.cancel(booking.id)
        break
      }
      const isCommit = lost.includes('commit') || lost.includes('COMMIT')
      const isDone = what === 'answer' && isCommit
      steps.push(`${what} ${step}${isCommit ? ' commit' : ''}`)
      expect([step, what, await changesAndEvents(booking.id)]).toEqual([step, what, isDone ? one : none])

      await act(booking.id, ask)
      expect(await changesAndEvents(booking.id)).toEqual(one)
      const told = (await shop.told()).filter(({ booking_id }) => booking_id === booking.id)
      expect(told).toHaveLength(1)
      await desk.cancel(booking.id)
      if (what === 'answer') step++
      what = what === 'message' ? 'answer' : 'message'
    }
    // Several statements, and the COMMIT lost both ways.
    expect(steps.length).toBeGreaterThan(6)
    expect(steps.filter((step) => step.includes('commit'))).toHaveLength(2)
    await shop.told()
  },
)
