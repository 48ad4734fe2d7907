import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { addStaff } from '../../src/core/authentication/staff-members.ts'
import { referenceOf } from '../../src/domain/bookings/booking-response.ts'
import { openDatabase } from '../../src/infra/db/database.ts'
import type { Booking, TimeSlot } from '../../src/protocol/types.generated.ts'
import { read } from '../calendar/calendar-file.ts'
import { freshDatabase } from '../support/database.ts'
import { buyer } from '../support/desk.ts'
import { freePort, usp, waitForOutput } from '../support/process.ts'
import { talking } from './letters-shop.ts'
import { postOffice } from './post-office.ts'

const SENT_BEFORE = 5
/** More than there are connections to the mail server: some are being sent, and others wait. */
const UNDERWAY = 12
const DAY = 24 * 3_600_000

const folder = mkdtempSync(join(tmpdir(), 'usp-mails-'))
const business = join(folder, 'business.yaml')
// JSON is YAML.
writeFileSync(business, JSON.stringify(talking))
const databaseUrl = await freshDatabase()
const db = openDatabase(databaseUrl, 2, () => {})
afterAll(async () => {
  await db.destroy()
  rmSync(folder, { recursive: true })
})
const bearer = await addStaff(db, 'Ann', 'manager', new Date())
const office = await postOffice()
const port = String(await freePort())

async function serve() {
  const running = usp(['serve'], {
    PORT: port,
    DATABASE_URL: databaseUrl,
    SMTP_URL: office.url,
    MAIL_FROM: 'book@studio.example',
    USP_DATA_DIR: folder,
    USP_BUSINESS_FILE: business,
    LOG_LEVEL: 'error',
  })
  await waitForOutput(running, 'Ctrl-C stops it.')
  return running
}

async function post<Answer>(path: string, body: object): Promise<Answer> {
  const answer = await fetch(`http://127.0.0.1:${port}/usp/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${bearer}` },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
  return answer.json()
}

/** Those of whole hours: of an hour each, none is in another's way. */
async function freeSlots(): Promise<TimeSlot[]> {
  const day = (after: number) => new Date(Date.now() + after * DAY).toISOString().slice(0, 10)
  const query = { service_id: 'svc_spot', start_date: day(2), end_date: day(9), limit: 200 }
  const { slots } = await post<{ slots: TimeSlot[] }>('/availability/query', query)
  return slots.filter(({ start }) => start.includes(':00:'))
}

const book = (slots: TimeSlot[]) =>
  Promise.all(
    slots.map(async ({ id: slot_id, service_id }) => {
      const input = { service_id, slot_id, buyer }
      return (await post<{ booking: Booking }>('/business/bookings', input)).booking
    }),
  )

const rows = () => db.selectFrom('mails').select(['status', 'leased_until']).execute()
const areSent = async (count: number) => (await rows()).filter(({ status }) => status === 'sent').length === count

test('[a crash loses no mail] a server that is killed while it sends loses none, and what comes twice has one Message-ID', async () => {
  const first = await serve()
  const slots = await freeSlots()
  const before = await book(slots.slice(0, SENT_BEFORE))
  await expect.poll(() => areSent(SENT_BEFORE)).toBe(true)

  // What comes now is there, and the server is not told so before it dies.
  office.answer = 'take and say nothing'
  const after = await book(slots.slice(SENT_BEFORE, SENT_BEFORE + UNDERWAY))
  await expect.poll(() => office.arrivals.length, { interval: 5 }).toBeGreaterThan(SENT_BEFORE)
  first.process.kill('SIGKILL')
  await first.ended
  const left = (await rows()).filter(({ status }) => status === 'waiting')
  expect(left).toHaveLength(UNDERWAY)
  expect(left.filter(({ leased_until }) => leased_until).length).toBeGreaterThan(0)

  office.answer = 'take'
  const next = await serve()
  await expect.poll(() => areSent(SENT_BEFORE + UNDERWAY)).toBe(true)
  next.process.kill('SIGKILL')
  await next.ended

  const came = Map.groupBy(office.arrivals, ({ mail }) => mail.messageId)
  expect(came.size).toBe(SENT_BEFORE + UNDERWAY)
  expect(office.arrivals.length).toBeGreaterThan(came.size)
  for (const booking of [...before, ...after]) {
    const letters = office.arrivals.filter(({ mail }) => mail.text?.includes(referenceOf(booking)))
    expect(new Set(letters.map(({ mail }) => mail.messageId)).size).toBe(1)
    const [calendar] = letters[0]?.mail.attachments ?? []
    expect(read(String(calendar?.content)).events[0]?.uid).toBe(booking.id)
  }
})
