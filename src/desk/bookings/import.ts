import { hash } from 'node:crypto'
import { planOf, resourcesOf } from '../../availability/plan.ts'
import type { MakeChange } from '../../db/change.ts'
import { resourcesLock } from '../../ledger/claims.ts'
import { canonical } from '../../protocol/canonical.ts'
import { messageOf } from '../../protocol/envelope.ts'
import { Outcome } from '../../protocol/errors.ts'
import { defineOperation } from '../../protocol/operation.ts'
import type { ImportBookings } from '../../protocol/types.generated.ts'
import { atDesk } from '../shared/operation-parts.ts'
import { type Importing, importOne } from './import-one.ts'
import { type ImportedRow, type ImportResult, importedRow, importResult, MOST_AT_ONCE } from './import-parts.ts'
import { importedFind, importedInsert } from './import-queries.ts'

type Input = ImportBookings['input']

export const importBookings = defineOperation<ImportBookings & { prepared: ImportResult[] | undefined }>({
  ...atDesk,
  id: 'importBookings',
  rest: 'POST /business/bookings/import',
  tool: 'usp_business_bookings_import',
  title: 'Import bookings of another system',
  description:
    'Books what was agreed in another system, past or to come, by the rules that held there: of those of today it says which each ' +
    'breaks. Time that is taken stays taken, and what is refused stops none of the others. The same key of the same source is ' +
    'imported once. Nobody is told of it unless that is asked for. A dry run only tells what would come of it.',
  effect: 'create',
  role: 'manager',
  input: {
    type: 'object',
    required: ['source', 'bookings'],
    properties: {
      source: {
        type: 'string',
        pattern: '^[a-z0-9][a-z0-9._-]{0,39}$',
        description: 'The other system, such as easyappointments: keys are its own.',
      },
      bookings: {
        type: 'array',
        minItems: 1,
        maxItems: MOST_AT_ONCE,
        items: importedRow,
        description: 'In this order; the earliest first gives the fewest conflicts.',
      },
      tell: {
        type: 'boolean',
        default: false,
        description: 'Whether those who come are told that it is booked here. Reminders come in any case.',
      },
      dry_run: { type: 'boolean', default: false, description: 'Whether it is only told what would come of it.' },
    },
  },
  output: {
    type: 'object',
    required: ['results'],
    properties: { results: { type: 'array', items: importResult, description: 'In the order of the bookings.' } },
  },
  summary: ({ results }) => {
    const count = (wanted: ImportResult['outcome']) => results.filter(({ outcome }) => outcome === wanted).length
    return `${count('imported')} imported, ${count('already_there')} already there, ${count('refused')} refused.`
  },
  prepare: async ({ makeChange, ...context }) =>
    context.input.dry_run ? rehearsed(makeChange, (db) => importAll({ ...context, db })) : undefined,
  handle: async (context, rehearsal) => ({ results: rehearsal ?? (await importAll(context)) }),
})

class Rehearsed extends Error {
  readonly results: ImportResult[]

  constructor(results: ImportResult[]) {
    super('Nothing of it is to stay.')
    this.results = results
  }
}

/** The very same, of which nothing stays. */
async function rehearsed(makeChange: MakeChange, work: (db: Importing['db']) => Promise<ImportResult[]>) {
  try {
    return await makeChange<ImportResult[]>(async (db) => {
      throw new Rehearsed(await work(db))
    })
  } catch (error) {
    if (error instanceof Rehearsed) return error.results
    throw error
  }
}

async function importAll(context: Importing & { input: Input }): Promise<ImportResult[]> {
  const { db, business, now, input } = context
  const { source, bookings, tell = false } = input
  await db.waitFor('an import')
  const definition = await business.get()
  const plans = [...new Set(bookings.map((row) => row.service_id))].flatMap((id) => planOf(definition, id) ?? [])
  // All at once and in one order, so that nobody waits for one of them while they are waited for.
  await resourcesLock(db, [...new Set(plans.flatMap(resourcesOf))])
  const known = await importedFind(
    db,
    source,
    bookings.map(({ key }) => key),
  )
  const results: ImportResult[] = []
  for (const row of bookings) {
    const digest = digestOf(row)
    const before = known.get(row.key)
    if (before) {
      results.push(before.digest === digest ? there(row, before.booking_id) : changed(row, before.booking_id))
      continue
    }
    try {
      const { id, record } = await importOne(context, row, { source, tell })
      known.set(row.key, { booking_id: id, digest })
      importedInsert(db, { source, key: row.key, digest, booking_id: id }, now)
      const { overridden } = record
      results.push({ key: row.key, outcome: 'imported', booking_id: id, ...(overridden && { overridden }) })
    } catch (error) {
      if (!(error instanceof Outcome)) throw error
      results.push({ key: row.key, outcome: 'refused', refusal: messageOf(error) })
    }
  }
  return results
}

/** What it becomes in time, and who comes, may be told otherwise the next time. */
const digestOf = ({ service_id, start, end = '', resource_ids = [], location_id = '' }: ImportedRow) =>
  hash('sha256', canonical([service_id, start, end, resource_ids, location_id]), 'base64url')

const there = ({ key }: ImportedRow, booking_id: string) => ({ key, outcome: 'already_there', booking_id }) as const

const changed = ({ key }: ImportedRow, booking_id: string) => {
  const message =
    'It was imported before, and is for another time or with others by now. Change the booking that is here.'
  return {
    key,
    outcome: 'refused',
    booking_id,
    refusal: messageOf(new Outcome('invalid_transition', message)),
  } as const
}
