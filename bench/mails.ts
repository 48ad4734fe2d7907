/**
 * How long after its commit a mail is first handed to the mail server, at twenty a second: alone, and beside a backlog of
 * lines that wait. Bare mails to the same server at the same pace show what the machine itself takes.
 */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as pass } from 'node:timers/promises'
import { createTransport } from 'nodemailer'
import type pg from 'pg'
import { SMTPServer } from 'smtp-server'
import { type OpenDatabase, openDatabase } from '../src/db/database.ts'
import { inChange } from '../src/db/in-change.ts'
import { outboxFor } from '../src/mails/outbox.ts'
import { business, service } from './support/salon.ts'
import { openStage } from './support/stage.ts'

const A_SECOND = 20
const SECONDS = Number(process.env.BENCH_SECONDS ?? 20)
const BACKLOG = 20_000
const MOST = 500

/** When each mail was first begun to be handed over, in milliseconds, by who it is for. */
const arrived = new Map<string, number>()
const server = new SMTPServer({
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
server.listen(0, '127.0.0.1')
await once(server.server, 'listening')
const address = server.server.address()
const SMTP_URL = `smtp://127.0.0.1:${typeof address === 'object' && address?.port}`

const definition = business([service('svc_cut', ['staff_1'])], 1)
const outbox = outboxFor(definition, ['mail'])
const stage = await openStage()
try {
  const { db } = await stage.serve('mails', definition, {
    script: 'bench/support/mailer.ts',
    env: { SMTP_URL, MAIL_FROM: 'book@salon.example' },
  })
  const { user, password, host, port, database } = db
  const own = openDatabase(`postgres://${user}:${password}@${host}:${port}/${database}`, 10, () => {})
  const bare = createTransport({ url: SMTP_URL, pool: true, ignoreTLS: true })

  await measure(3, mailed(own))
  report('bare mail', await measure(SECONDS, sentBy(bare)))
  report('commit to first attempt, alone', await measure(SECONDS, mailed(own)))
  await backlog(db)
  report(`the same beside ${BACKLOG} that wait`, await measure(SECONDS, mailed(own)))
  bare.close()
  await own.destroy()
} finally {
  server.close()
  await stage.close()
}

/** Begins so many a second, each a change or a mail of its own, and waits until all have come. */
async function measure(seconds: number, enter: (committed: Map<string, number>) => Promise<void>) {
  const committed = new Map<string, number>()
  const begun = performance.now()
  const entering: Promise<void>[] = []
  for (let count = 0; count < seconds * A_SECOND; count++) {
    const early = begun + (count * 1000) / A_SECOND - performance.now()
    if (early > 1) await pass(early)
    entering.push(enter(committed))
  }
  await Promise.all(entering)
  const missing = () => [...committed.keys()].filter((to) => !arrived.has(to)).length
  for (const end = performance.now() + 60_000; missing() > 0 && performance.now() < end; ) await pass(100)
  if (missing() > 0) throw new Error(`${missing()} mails never came`)
  const delays = [...committed].map(([to, at]) => (arrived.get(to) ?? 0) - at).sort((one, other) => one - other)
  const at = (share: number) => (delays[Math.floor(delays.length * share)] ?? 0).toFixed(0)
  return { median: at(0.5), p99: at(0.99) }
}

function mailed(own: OpenDatabase) {
  return async (committed: Map<string, number>) => {
    const email = `${randomUUID()}@example.com`
    const mail = { kind: 'account.link', subject: `account ${email}`, to: { email }, snapshot: {} }
    // The COMMIT itself is part of what is measured.
    committed.set(email, performance.now())
    await inChange(own, async (tx) => tx.mail(mail, new Date()), outbox)
  }
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

function report(what: string, { median, p99 }: { median: string; p99: string }) {
  console.log(`${what}, ${A_SECOND}/s: median ${median} ms, p99 ${p99} ms (less than ${MOST} ms)`)
}
