import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pass } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { expect, onTestFinished } from 'vitest'
import { verify } from '../../src/core/ledger/verify-ledger.ts'
import { freshDatabase } from '../support/database.ts'
import { SECRET } from '../support/server.ts'
import { DAY, type kinds, movedTo, writingShop } from './writing-shop.ts'

const WRITER = fileURLToPath(new URL('./writer-process.ts', import.meta.url))

/** Numbers below a limit that look random and are the same in each run. */
function randomOf(seed: number) {
  let state = seed
  return (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return (state >> 8) % below
  }
}

type Kind = (typeof kinds)[number]

/** A shop and a CalDAV server whose database another process can open too. */
export async function bothSides(kind: Kind) {
  const databaseUrl = await freshDatabase()
  const on = await writingShop(kind, { databaseUrl })
  return { databaseUrl, on }
}

/**
 * Edits bookings here and events there at random, while a process that writes is killed again and again, and the CalDAV
 * server too. At the end, the calendar must have exactly the bookings, and the ledger must be clean.
 */
export async function editBothSides(
  { databaseUrl, on }: Awaited<ReturnType<typeof bothSides>>,
  { rounds, seed }: { rounds: number; seed: number },
): Promise<void> {
  const { server, desk, shop } = on
  const random = randomOf(seed)
  const calendar = `work${seed}`
  await on.clear()
  await server.makeCalendar(calendar)
  await on.connect(calendar)
  const ids: string[] = []
  const anyTime = () => ({ start: `${DAY}T${String(9 + random(8)).padStart(2, '0')}:00:00-05:00` })

  const editHere = async () => {
    const id = ids[random(ids.length || 1)]
    const choice = random(5)
    // Refused edits are part of the test.
    if (id === undefined || choice < 2)
      await on.bookAt(9 + random(8)).then(
        (one) => ids.push(one.id),
        () => {},
      )
    else if (choice === 2) await desk('bookings_reschedule', { booking_id: id, ...anyTime() })
    else if (choice === 3)
      await desk('bookings_reschedule', {
        ...{ booking_id: id, ...anyTime() },
        resource_ids: [random(2) === 0 ? 'staff_ann' : 'staff_ben'],
      })
    else await desk('bookings_cancel', { booking_id: id })
  }
  const editThere = async () => {
    const events = await on.written(calendar)
    const event = events[random(events.length || 1)]
    if (!event) return
    const choice = random(5)
    const edit = () => {
      if (choice === 0) return server.erase(event.path)
      if (choice === 1) return server.edit(event.path, event.text.replace(/^SUMMARY:.*$/m, 'SUMMARY:changed'))
      return server.edit(event.path, movedTo(event.text, 7 + random(12)))
    }
    // The writer may have deleted the event meanwhile.
    await edit().catch(() => {})
  }

  for (let round = 0; round < rounds; round++) {
    shop.minutesLater(10)
    // A killed process keeps its lease for five seconds.
    await sql`update calendar_writers set leased_until = null, begun = 0, failures = 0`.execute(shop.runtime.db)
    const writer = fork(WRITER, [databaseUrl, shop.time.now.toISOString(), SECRET])
    onTestFinished(() => void writer.kill('SIGKILL'))
    await once(writer, 'message')
    for (let edit = 0; edit < 8; edit++) {
      await (random(2) === 0 ? editHere() : editThere())
      if (random(16) === 0) await server.restart()
      await pass(random(200))
    }
    writer.kill('SIGKILL')
    await once(writer, 'exit')
  }

  const settle = async () => {
    await sql`update calendar_writers set leased_until = null, begun = 0, failures = 0`.execute(shop.runtime.db)
    await on.writeLater()
    await on.writeLater()
  }
  await settle()
  for (const id of ids) await desk('bookings_keep', { booking_id: id })
  await settle()

  const { rows: bookings } = await sql<{ id: string; hours: string }>`
    select id, to_char(starts_at at time zone 'America/New_York', 'DD HH24') || '-'
      || to_char(ends_at at time zone 'America/New_York', 'HH24') as hours
    from bookings where status <> 'canceled' and resource_ids @> array['staff_ann']`.execute(shop.runtime.db)
  const idOf = (text: string) => /^X-USP-BOOKING:(\S+)/m.exec(text)?.[1]
  const events = (await on.written(calendar)).map(({ text, hours }) => `${idOf(text)} ${hours}`)
  expect(events.toSorted()).toEqual(bookings.map(({ id, hours }) => `${id} ${hours}`).toSorted())
  expect(await on.waiting()).toBe(0)
  await on.read()
  expect(await on.busy()).toEqual([])
  expect((await verify(shop.runtime.db, shop.time.now)).findings.listed).toEqual([])
}
