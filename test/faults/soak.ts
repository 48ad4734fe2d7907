import { randomUUID } from 'node:crypto'
import { setTimeout as pass } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, onTestFinished } from 'vitest'
import { addClient } from '../../src/core/authentication/api-keys.ts'
import { openDatabase } from '../../src/infra/db/database.ts'
import { postOffice } from '../mails/post-office.ts'
import { businessWith, service } from '../support/definitions.ts'
import { openFleet } from '../support/fleet.ts'
import { generousLimits } from '../support/generous-limits.ts'
import { ownPostgres } from '../support/own-postgres.ts'
import { testPlatform } from '../support/platform.ts'
import { usp } from '../support/process.ts'
import { testReceiver } from '../support/receiver.ts'

/** How long each fault lasts, one after the other. */
export interface Faults {
  /** Seconds in which the servers share this many connections to the database. */
  connectionLimit: { seconds: number; connections: number }
  /** The database is stopped and started again, this many times and so many seconds apart. */
  restarts: { count: number; secondsApart: number }
  /** A server is killed (kill -9) and started again, this many times. */
  kills: number
  /** How often all of this is repeated. */
  rounds: number
}

const WORKERS = 4
const people = Array.from({ length: WORKERS }, (_, index) => `staff_${index}`)
const definition = businessWith(
  people.map((person, index) =>
    service(`svc_${index}`, { resources: [{ type: 'staff', options: [person], selectable: true }] }),
  ),
  {
    resources: people.map((id) => ({ id, type: 'staff', name: id })),
    mails: { platform_buyers: 'all', staff: ['desk@studio.example'] },
    limits: generousLimits,
  },
)

/** Books, moves and cancels on two servers while faults happen, and proves that every mail and event arrived. */
export async function soak(faults: Faults): Promise<void> {
  const database = await ownPostgres(onTestFinished)
  const office = await postOffice()
  const receiver = await testReceiver()
  const platform = await testPlatform({ webhook_url: receiver.url })
  const db = openDatabase(database.superuserUrl, 2, () => {})
  const { key } = await addClient(db, 'Platform', new Date())
  const mailing = { SMTP_URL: office.url, MAIL_FROM: 'book@studio.example' }
  const fleet = await openFleet(database.url, definition, 2, { ...mailing, DATABASE_POOL: '5', LOG_LEVEL: 'warn' })

  /** What was acknowledged, as the receiver has to hear it. */
  const acknowledged: string[] = []
  let isOver = false
  const work = async (index: number) => {
    const call = async (path: string, body: object) => {
      const headers = { authorization: `Bearer ${key}`, 'usp-agent': `profile="${platform.url}"` }
      const answer = await fleet.post(path, body, { ...headers, 'idempotency-key': randomUUID() })
      const { booking } = Object(answer.body)
      if (!booking) throw new Error(`${path} was answered with ${answer.status} ${JSON.stringify(answer.body)}`)
      return booking
    }
    const service_id = `svc_${index}`
    const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
    const query = { service_id, start_date: day(2), end_date: day(4) }
    const { slots } = Object((await fleet.post('/availability/query', query, {})).body)
    const [first, , , second] = slots.map(({ id }: { id: string }) => id)
    while (!isOver) {
      const buyer = { first_name: 'Alice', last_name: 'Williams', email: `${randomUUID()}@example.com` }
      const { id } = await call('/bookings', { service_id, slot_id: first, buyer })
      const told = (event: string, { revision }: { revision: string }) =>
        acknowledged.push(`${id} ${event} ${revision}`)
      told('booking.rescheduled', await call(`/bookings/${id}/reschedule`, { slot_id: second }))
      told('booking.canceled', await call(`/bookings/${id}/cancel`, {}))
      await pass(600)
    }
  }
  const workers = Promise.all(people.map((_, index) => work(index)))
  const trouble = async () => {
    for (let round = 1; round <= faults.rounds; round++) {
      await database.limitConnections(faults.connectionLimit)
      for (let count = 0; count < faults.restarts.count; count++) {
        await pass(faults.restarts.secondsApart * 1000)
        await database.restart(count % 2 ? 'immediate' : 'fast')
      }
      for (let count = 0; count < faults.kills; count++) {
        await fleet.kill()
        await pass(2_000)
      }
    }
  }
  // A failing worker ends the run at once.
  await Promise.race([trouble(), workers.then(() => undefined)])
  isOver = true
  await workers

  const ended = Date.now()
  const waiting = async () => {
    const { rows } = await sql<{ mails: number; events: number }>`
      select (select count(*)::integer from mails where status = 'waiting') as mails,
        (select count(*)::integer from deliveries where status = 'waiting') as events`.execute(db)
    return rows[0]
  }
  await expect.poll(waiting, { timeout: 300_000, interval: 500 }).toEqual({ mails: 0, events: 0 })

  const received = receiver.received.map(({ body }) => `${body.booking_id} ${body.event} ${body.data?.revision}`)
  const arrived = office.arrivals.map(({ mail }) => mail.messageId?.slice(1).split('@')[0])
  const mails = await db.selectFrom('mails').select(['id', 'status', 'problem', 'begun', 'attempts']).execute()
  const deliveries = await db.selectFrom('deliveries').select(['id', 'status', 'attempts']).execute()
  const again = (all: unknown[]) => all.length - new Set(all).size
  const seconds = Math.round((Date.now() - ended) / 1000)
  console.log(
    `${acknowledged.length} changes acknowledged; ${mails.length} mails, ${again(arrived)} received again; ` +
      `${deliveries.length} events, ${again(receiver.received.map(({ body }) => body.event_id))} received again; ` +
      `all were sent ${seconds} s after the last fault`,
  )
  const notReceived = (wanted: string[], got: unknown[]) => {
    const set = new Set(got)
    return wanted.filter((one) => !set.has(one))
  }
  const mailIds = mails.map(({ id }) => id)
  expect({
    events: notReceived(acknowledged, received),
    mails: notReceived(mailIds, arrived),
    mailsNotSent: mails.filter(({ status }) => status !== 'sent'),
    eventsNotDelivered: deliveries.filter(({ status }) => status !== 'delivered'),
  }).toEqual({ events: [], mails: [], mailsNotSent: [], eventsNotDelivered: [] })
  expect(Math.min(acknowledged.length, mails.length)).toBeGreaterThan(100)
  const verify = usp(['verify'], { DATABASE_URL: database.url })
  expect([await verify.ended, verify.output()]).toEqual([
    0,
    expect.stringContaining('No instant was ever claimed twice'),
  ])
  await db.destroy()
}
