import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pass } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { addClient } from '../../src/core/authentication/api-keys.ts'
import { verify } from '../../src/core/ledger/verify-ledger.ts'
import { openDatabase } from '../../src/infra/db/database.ts'
import { withPolicies } from '../bookings/shop.ts'
import { freshDatabase } from '../support/database.ts'
import { businessWith } from '../support/definitions.ts'
import { generousLimits } from '../support/generous-limits.ts'
import { testPlatform } from '../support/platform.ts'
import { freePort, type Running, usp, waitForOutput } from '../support/process.ts'
import { type Session, stripeStandIn } from '../support/stripe.ts'

const WINDOW_SECONDS = 20
const BOOKINGS = 4

/** Real processes and real time: what the server does by itself as soon as it starts is part of the rule. */
test('[paid in time] bookings that were paid in time while both servers were dead are confirmed when one comes back, and unpaid ones are free', async () => {
  const databaseUrl = await freshDatabase()
  const db = openDatabase(databaseUrl, 2, () => {})
  onTestFinished(() => db.destroy())
  const stripe = await stripeStandIn()
  const { url: profile } = await testPlatform()
  const { key } = await addClient(db, 'Platform', new Date())
  const folder = mkdtempSync(join(tmpdir(), 'usp-down-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'business.yaml')
  const paid = withPolicies('svc_paid', { payment_timing: 'at_booking' }, { payment_window: `PT${WINDOW_SECONDS}S` })
  writeFileSync(
    file,
    JSON.stringify(businessWith([paid], { limits: generousLimits, payments: { provider: 'stripe' } })),
  )
  const start = async (port: number): Promise<Running> => {
    const env = { PORT: String(port), DATABASE_URL: databaseUrl, USP_DATA_DIR: folder, USP_BUSINESS_FILE: file }
    const running = usp(['serve'], { ...env, ...stripe.env, LOG_LEVEL: 'warn' })
    await waitForOutput(running, 'Ctrl-C stops it.')
    return running
  }
  const ports = [await freePort(), await freePort()]
  const [port = 0, other = 0] = ports
  const servers = [await start(port), await start(other)]
  onTestFinished(async () => {
    for (const one of servers) one.process.kill('SIGKILL')
    await Promise.all(servers.map(({ ended }) => ended))
  })
  const call = async (path: string, body?: object) => {
    const headers = { authorization: `Bearer ${key}`, 'usp-agent': `profile="${profile}"` }
    const answer = await fetch(`http://127.0.0.1:${port}/usp/v1${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
      ...(body && { body: JSON.stringify(body) }),
    })
    return answer.json()
  }

  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  const query = { service_id: 'svc_paid', start_date: day(2), end_date: day(6), limit: 100 }
  const { slots } = await call('/availability/query', query)
  const buyer = { first_name: 'Alice', last_name: 'Williams', email: 'alice@example.com' }
  const bookings: { booking: { id: string; expires_at: string }; session: Session }[] = []
  for (let nth = 0; nth <= BOOKINGS; nth++) {
    const { booking } = await call('/bookings', { service_id: 'svc_paid', slot_id: slots[nth * 2].id, buyer })
    const page = new URL(booking.actions[0].continue_url)
    const { headers } = await fetch(`http://127.0.0.1:${port}${page.pathname}`, { method: 'POST', redirect: 'manual' })
    const session = stripe.sessions.find(({ url }) => url === headers.get('location'))
    if (!session) throw new Error(`The form led to ${headers.get('location')}`)
    bookings.push({ booking, session })
  }
  const end = Math.max(...bookings.map(({ booking }) => Date.parse(booking.expires_at)))
  for (const one of servers) one.process.kill('SIGKILL')
  await Promise.all(servers.map(({ ended }) => ended))
  for (const { session } of bookings.slice(0, BOOKINGS)) stripe.pay(session)
  await pass(end + 10_000 - Date.now())

  servers.push(await start(port))
  const statuses = async () => {
    const all = await Promise.all(bookings.map(({ booking: { id } }) => call(`/bookings/${id}`)))
    return all.map(({ booking }) => booking.status)
  }
  const expected = [...Array(BOOKINGS).fill('confirmed'), 'canceled']
  await expect.poll(statuses, { timeout: 60_000, interval: 500 }).toEqual(expected)
  expect(stripe.refunds).toEqual([])
  expect((await verify(db, new Date())).findings.listed).toEqual([])
}, 180_000)
