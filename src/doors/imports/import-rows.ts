import { setTimeout } from 'node:timers/promises'
import { PlainError } from '../../basics/plain-error.ts'
import { importBookings } from '../../desk/bookings/import.ts'
import { type ImportedRow, type ImportResult, MOST_AT_ONCE } from '../../desk/bookings/import-parts.ts'
import { callFromPage } from '../../pipeline/call-from-page.ts'
import type { CallMeans } from '../../pipeline/dispatch.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { Names } from './names.ts'
import { MOST_ROWS, type SourceRow } from './source-row.ts'
import { Refused, toBooking } from './to-booking.ts'

/** What came of one row. */
export type Told = { line: number; start: string; why?: string } & Pick<ImportResult, 'overridden'> & {
    outcome: ImportResult['outcome'] | 'without_booking'
  }

export interface Import {
  source: string
  names: Names
  /** Of times that name none. */
  zone: string
  tell: boolean
  isRehearsal: boolean
  progress?: (done: number, of: number) => void
}

/** Asks the desk to import every row, so many at a time, the earliest first, and says what came of each, in the order of the file. */
export async function importRows(rows: AsyncIterable<SourceRow>, wanted: Import, means: CallMeans): Promise<Told[]> {
  const told: Told[] = []
  const bookings: Wanted[] = []
  for await (const row of rows) {
    if (bookings.length + told.length >= MOST_ROWS)
      throw new PlainError(`The file has more than ${MOST_ROWS.toLocaleString('en')} rows. Nothing was done; split it.`)
    const { line, values } = row
    if (row.isPersonAlone && row.fault === undefined) {
      told.push({ line, start: '', outcome: 'without_booking' })
      continue
    }
    try {
      bookings.push({ line, booking: toBooking(row, wanted) })
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      told.push({ line, start: values.start ?? '', outcome: 'refused', why: error.message })
    }
  }
  const inOrder = bookings.toSorted((one, other) => instantOf(one) - instantOf(other) || one.line - other.line)
  let done = 0
  for (const portion of portions(inOrder)) {
    told.push(...(await imported(portion, wanted, means)))
    done += portion.length
    wanted.progress?.(done, bookings.length)
  }
  return told.sort((one, other) => one.line - other.line)
}

interface Wanted {
  line: number
  booking: ImportedRow
}

const instantOf = ({ booking: { start } }: Wanted) => Date.parse(start)

/** Whole days where they fit, so that a rehearsal, of which nothing stays, sees what is in each other's way. */
function* portions(rows: Wanted[]): Generator<Wanted[]> {
  const days = Map.groupBy(rows, ({ booking: { start } }) => start.slice(0, 'YYYY-MM-DD'.length)).values()
  let portion: Wanted[] = []
  for (const day of days)
    for (const [nth, row] of day.entries()) {
      const next = nth === 0 ? Math.min(day.length, MOST_AT_ONCE) : 1
      if (portion.length + next > MOST_AT_ONCE) {
        yield portion
        portion = []
      }
      portion.push(row)
    }
  if (portion.length > 0) yield portion
}

/** Whoever runs the server may do whatever its owner may. */
const OPERATOR = { peer: { address: '127.0.0.1' }, staff: { id: 'operator', role: 'owner' } } as const

async function imported(portion: Wanted[], { source, tell, isRehearsal }: Import, means: CallMeans): Promise<Told[]> {
  const input = { source, tell, dry_run: isRehearsal, bookings: portion.map(({ booking }) => booking) as [ImportedRow] }
  const answer = await patiently(() => callFromPage(importBookings, input, OPERATOR, means))
  if (answer.refusal) throw new PlainError(answer.refusal.content)
  return answer.result.results.map(({ outcome, overridden, refusal: why }, index) => ({
    ...{ line: portion[index]?.line ?? 0, start: portion[index]?.booking.start ?? '', outcome },
    ...(overridden && { overridden }),
    ...(why && { why: why.content }),
  }))
}

const PATIENCE = 20

/** A server at work comes first: what is put off is asked again when it says so. What was imported before is then there already. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++)
    try {
      return await work()
    } catch (error) {
      const seconds = error instanceof ProtocolError ? error.details.retryAfter : undefined
      if (seconds === undefined || attempt === PATIENCE) throw error
      await setTimeout(seconds * 1000)
    }
}
