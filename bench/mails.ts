/**
 * Measures the time from a booking call to the first delivery attempt of its mail, at twenty bookings in a second.
 * First there are no other mails, then also many waiting mails. The time includes the booking and its commit. Mails
 * that go directly to the same mail server show the overhead of the machine.
 */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createTransport } from 'nodemailer'
import type pg from 'pg'
import { SMTPServer } from 'smtp-server'
import { addStaff } from '../src/core/authentication/staff-members.ts'
import { openDatabase } from '../src/infra/db/database.ts'
import { judge, measureArrivals, report, type StartItem } from './support/arrivals.ts'
import { business, type Slot, service, slotsOf, staff } from './support/salon.ts'
import { openStage, type Served } from './support/stage.ts'

const A_SECOND = 20
const WARM_UP = 3
const SECONDS = Number(process.env.BENCH_SECONDS ?? 20)
const BACKLOG = 20_000
const MOST = 500
const SERVICES = 50
const MANY = 1_000_000

/** The time at which the first mail for each recipient arrived, in milliseconds. */
const arrived = new Map<string, number>()
const office = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onRcptTo({ address }, _, done) {
    if (!arrived.has(address)) arrived.set(address, performance.now())
    done()
  },
  onData(stream, _, done) {
    stream.resume().on('end', () => done())
  },
})
office.listen(0, '127.0.0.1')
await once(office.server, 'listening')
const address = office.server.address()
const SMTP_URL = `smtp://127.0.0.1:${typeof address === 'object' && address?.port}`

const measure = (seconds: number, enter: StartItem) => measureArrivals(arrived, enter, { aSecond: A_SECOND, seconds })

const services = staff(SERVICES).map((one) => service(`svc_${one}`, [one]))
const { limits, ...salon } = business(services, SERVICES)
const stage = await openStage()
try {
  const env = { SMTP_URL, MAIL_FROM: 'book@salon.example', LOG_LEVEL: 'error' }
  const server = await stage.serve('mails', { ...salon, limits: { ...limits, staff: MANY } }, env)
  const slots = await slotsOf(server, services, (WARM_UP + 2 * SECONDS) * A_SECOND)
  const book = bookingBy(await bearerOf(server.db), server, slots)
  const bare = createTransport({ url: SMTP_URL, pool: true, ignoreTLS: true })

  await measure(WARM_UP, book)
  report('bare mail', await measure(SECONDS, sentBy(bare)))
  judge('booking to first attempt, alone', await measure(SECONDS, book), MOST)
  await backlog(server.db)
  judge(`the same beside ${BACKLOG} that wait`, await measure(SECONDS, book), MOST)
  bare.close()
} finally {
  office.close()
  await stage.close()
}

/** Returns a function that makes one booking as the staff. Each booking has a separate email address. */
function bookingBy(bearer: string, { origin }: Served, slots: Slot[]) {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${bearer}` }
  let used = 0
  return async (begun: Map<string, number>) => {
    const { id: slot_id, service_id } = slots[used++] ?? { id: '', service_id: '' }
    const email = `${randomUUID()}@example.com`
    const body = JSON.stringify({ service_id, slot_id, buyer: { first_name: 'Ann', last_name: 'Other', email } })
    begun.set(email, performance.now())
    const answer = await fetch(`${origin}/usp/v1/business/bookings`, { method: 'POST', headers, body })
    if (answer.status !== 201) throw new Error(`A booking was answered with ${answer.status}: ${await answer.text()}`)
  }
}

async function bearerOf({ user, password, host, port, database }: pg.Client): Promise<string> {
  const db = openDatabase(`postgres://${user}:${password}@${host}:${port}/${database}`, 1, () => {})
  return addStaff(db, 'Bench', 'manager', new Date()).finally(() => db.destroy())
}

function sentBy(bare: ReturnType<typeof createTransport>) {
  return async (begun: Map<string, number>) => {
    const to = `${randomUUID()}@example.com`
    begun.set(to, performance.now())
    await bare.sendMail({ from: 'book@salon.example', to, subject: 'Bare', text: 'Bare' })
  }
}

async function backlog(client: pg.Client) {
  await client.query(
    `insert into mails (id, channel, kind, subject, audience, recipient, locale, snapshot, status, next_at, created_at)
    select 'mail_' || number, 'mail', 'account.link', 'account ' || number / 2, 'buyer', 'waiting@example.com', 'en', '{}',
      'waiting', now() + interval '1 hour', now() from generate_series(1, $1::integer) as number`,
    [BACKLOG],
  )
}
