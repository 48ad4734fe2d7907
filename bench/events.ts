/**
 * Measures the time from the commit of an event to its first delivery attempt, at a hundred events in a second. First
 * there are no other events, then also many waiting events for unreachable receivers. Direct calls to the same receiver
 * at the same rate show the overhead of the machine.
 */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { request as call, createServer } from 'node:https'
import { setTimeout } from 'node:timers/promises'
import type pg from 'pg'
import { loopbackCertificate } from '../src/core/egress/development/loopback-certificate.ts'
import { recordEvent } from '../src/core/events/record-event.ts'
import { openDatabase } from '../src/infra/db/database.ts'
import { judge, measureArrivals, report, type StartItem } from './support/arrivals.ts'
import { type CpuTime, cpuTimePerCall } from './support/cpu-time-per-call.ts'
import { business, service } from './support/salon.ts'
import { openStage } from './support/stage.ts'

const A_SECOND = 100
const SECONDS = Number(process.env.BENCH_SECONDS ?? 20)
const BACKLOG = 20_000
const MOST = 200

/** The time at which the first attempt of each event arrived, in milliseconds. */
const arrived = new Map<string, number>()
const receiver = createServer(loopbackCertificate(), async (request, response) => {
  const at = performance.now()
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const { event_id } = JSON.parse(Buffer.concat(chunks).toString())
  if (!arrived.has(event_id)) arrived.set(event_id, at)
  response.writeHead(204).end()
}).listen(0, '127.0.0.1')
await once(receiver, 'listening')
const address = receiver.address()
const alive = `https://127.0.0.1:${typeof address === 'object' && address?.port}/`

const stage = await openStage()
try {
  const { db } = await stage.serve('events', business([service('svc_cut', ['staff_1'])], 1))
  const { user, password, host, port, database } = db
  const workerDatabase = openDatabase(`postgres://${user}:${password}@${host}:${port}/${database}`, 10, () => {})
  await subscribe(db, 'sub_alive', alive)
  // No process listens on this port.
  await subscribe(db, 'sub_dead', 'https://127.0.0.1:9/')
  await subscribe(db, 'sub_stuck', 'https://127.0.0.1:9/')

  const measure = (seconds: number, enter: StartItem) => measureArrivals(arrived, enter, { aSecond: A_SECOND, seconds })
  const event = async (committed: Map<string, number>) => {
    const id = `evt_${randomUUID()}`
    const now = new Date()
    const body = { event: 'service.updated', event_id: id, service_id: id, timestamp: now.toISOString() }
    await workerDatabase.transaction().execute(async (tx) => {
      const subject = `service ${id}`
      await recordEvent(
        tx,
        { id, type: 'service.updated', subject, content: { body } },
        ['subscription sub_alive'],
        now,
      )
      // The measurement starts before the COMMIT, so it includes the COMMIT.
      committed.set(id, performance.now())
    })
  }

  await measure(3, event)
  report('bare call', await measure(SECONDS, bare))
  const idle = await cpuTimePerCall(db, SECONDS, () => setTimeout(SECONDS * 1000))
  const spent = await cpuTimePerCall(db, A_SECOND * SECONDS, async () =>
    judge('commit to first attempt, alone', await measure(SECONDS, event), MOST),
  )
  const beyond = (what: keyof CpuTime) => (spent[what] - idle[what] / A_SECOND).toFixed(2)
  console.log(`  an event: ${beyond('server')} ms of the server, ${beyond('database')} of the database`)
  await backlog(db, 'sub_dead', (number) => `service dead_${number}`)
  judge(`the same beside ${BACKLOG} for a dead receiver`, await measure(SECONDS, event), MOST)
  await backlog(db, 'sub_stuck', () => 'service stuck')
  judge(`and beside ${BACKLOG} more in one line`, await measure(SECONDS, event), MOST)
  await workerDatabase.destroy()
} finally {
  receiver.closeAllConnections()
  receiver.close()
  await stage.close()
}

async function bare(begun: Map<string, number>) {
  const event_id = `evt_${randomUUID()}`
  begun.set(event_id, performance.now())
  const sent = call(alive, { method: 'POST', agent: false, ca: loopbackCertificate().cert })
  const [response] = await once(sent.end(JSON.stringify({ event_id })), 'response')
  response.resume()
}

async function subscribe(client: pg.Client, id: string, callback: string) {
  await client.query(
    `insert into feed_subscriptions (id, principal, profile, callback_url, status, position_modified_at, position_id,
      created_at) values ($1, 'client:bench', '', $2, 'active', now(), '', now())`,
    [id, callback],
  )
}

async function backlog(client: pg.Client, subscription: string, subjectOf: (number: number) => string) {
  const numbers = Array.from({ length: BACKLOG }, (_, number) => number)
  await client.query(
    `with event as (
      insert into events (id, type, subject, body, at)
      select 'evt_' || $1 || number, 'service.updated', subject, '{}', now()
      from unnest($2::integer[], $3::text[]) as t (number, subject) order by number returning id, subject)
    insert into deliveries (event_id, receiver, subject, status, next_at)
    select id, 'subscription ' || $1, subject, 'waiting', now() from event`,
    [subscription, numbers, numbers.map(subjectOf)],
  )
}
