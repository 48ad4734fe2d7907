import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as pass } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { addStaff } from '../../src/core/authentication/staff-members.ts'
import { verify } from '../../src/core/ledger/verify-ledger.ts'
import { openDatabase } from '../../src/infra/db/database.ts'
import { freshDatabase } from '../support/database.ts'
import { businessWith, service } from '../support/definitions.ts'
import { openFleet } from '../support/fleet.ts'
import { generousLimits } from '../support/generous-limits.ts'

/** How often each change is sent to a server that is killed while it works. */
const ROUNDS = Number(process.env.USP_KILLS ?? 8)
/** Longer than each of the changes takes. */
const LONGEST_MS = 150
const DAY = 86_400_000

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
const definition = businessWith([service('svc_cut', { resources: [{ type: 'staff', options: ['staff_ann'] }] })], {
  hours: [{ days: [...WEEKDAYS], opens: '00:00', closes: '24:00' }],
  resources: [{ id: 'staff_ann', type: 'staff', name: 'Ann' }],
  limits: generousLimits,
  mails: { platform_buyers: 'all' },
})

/** A server that is killed while it works on a change. The caller sends the change again, with the same key, until it is answered. */
async function openServer() {
  const url = await freshDatabase()
  const db = openDatabase(url, 2, () => {})
  onTestFinished(() => db.destroy())
  const fleet = await openFleet(url, definition, 1)
  const bearer = await addStaff(db, 'Clerk', 'manager', new Date())
  const post = async (path: string, body: object) => {
    const headers = { authorization: `Bearer ${bearer}`, 'idempotency-key': randomUUID() }
    const answer = await fleet.post(`/business${path}`, body, headers)
    expect([path, answer.body]).toEqual([path, expect.not.objectContaining({ messages: expect.anything() })])
    expect([200, 201]).toContain(answer.status)
    return Object(answer.body)
  }
  return {
    db,
    post,
    async book(start: string) {
      const wish = { service_id: 'svc_cut', start, buyer: person(), override: ['booking_window', 'hours'] }
      return (await post('/bookings', wish)).booking as { id: string }
    },
    /** How many bookings stand from one day to another. */
    async standing(from: Date, to: Date) {
      const rows = db.selectFrom('bookings').select('id').where('starts_at', '>=', from).where('starts_at', '<', to)
      return (await rows.where('status', '=', 'confirmed').execute()).length
    },
    expectClean: async () => expect((await verify(db, new Date())).findings.listed).toEqual([]),
    async postAndKill(path: string, body: object) {
      const answer = post(path, body)
      await pass(randomInt(LONGEST_MS))
      await fleet.kill()
      return answer
    },
  }
}

/** Each round has weeks of its own. The n-th of them begins on this day. */
const dayOf = (round: number, days = 0) => new Date(Math.floor(Date.now() / DAY) * DAY + (7 + 40 * round + days) * DAY)
const at = (day: Date, hour: number) => new Date(day.getTime() + hour * 3_600_000).toISOString()
const person = () => ({ first_name: 'Rosa', last_name: 'Reyes', email: `${randomUUID()}@example.com` })

test('[a killed server] a series is booked once, whenever the server dies', async () => {
  const server = await openServer()
  for (let round = 0; round < ROUNDS; round++) {
    const first = await server.book(at(dayOf(round), 9))
    const starts = Array.from({ length: 20 }, (_, index) => at(dayOf(round, index + 1), 9))
    const { bookings } = await server.postAndKill(`/bookings/${first.id}/series`, { starts })
    expect(bookings).toHaveLength(20)
    expect(await server.standing(dayOf(round), dayOf(round, 40))).toBe(21)
  }
  await server.expectClean()
})

test('[a killed server] a sick day cancels each booking once, tells each buyer once and blocks the day once', async () => {
  const server = await openServer()
  for (let round = ROUNDS; round < 2 * ROUNDS; round++) {
    const day = dayOf(round)
    const away = { resource_id: 'staff_ann', start: at(day, 0), end: at(day, 23) }
    for (let hour = 1; hour <= 8; hour++) await server.book(at(day, 2 * hour))
    const { bookings } = await server.post('/time/affected', away)
    const cancel = bookings.map(({ id, revision }: { id: string; revision: string }) => ({
      booking_id: id,
      revision,
      action: 'cancel',
    }))
    const { canceled } = await server.postAndKill('/time/clear', { ...away, bookings: cancel })
    expect(canceled).toHaveLength(8)
    const subjects = canceled.map((id: string) => `booking ${id}`)
    const mails = await server.db
      .selectFrom('mails')
      .select('subject')
      .where('kind', '=', 'booking.canceled_by_business')
      .where('subject', 'in', subjects)
      .execute()
    expect(mails.map(({ subject }) => subject).toSorted()).toEqual(subjects.toSorted())
    const blocks = await server.db.selectFrom('blocks').select('id').where('starts_at', '=', day).execute()
    expect(blocks).toHaveLength(1)
  }
  await server.expectClean()
})

test('[a killed server] an import has each booking once', async () => {
  const server = await openServer()
  for (let round = 2 * ROUNDS; round < 3 * ROUNDS; round++) {
    const bookings = Array.from({ length: 50 }, (_, index) => ({
      key: `${round}-${index}`,
      service_id: 'svc_cut',
      start: at(dayOf(round, Math.floor(index / 10)), 2 * (index % 10)),
      buyer: person(),
    }))
    const { results } = await server.postAndKill('/bookings/import', { source: 'old', bookings })
    const outcomes = new Set(results.map(({ outcome }: { outcome: string }) => outcome))
    expect(outcomes.isSubsetOf(new Set(['imported', 'already_there']))).toBe(true)
    expect(await server.standing(dayOf(round), dayOf(round, 40))).toBe(50)
  }
  await server.expectClean()
})
