import { defineOperation } from '../../../protocol/operation.ts'
import type { ImportBookings } from '../../../protocol/types.generated.ts'
import { dryRun } from '../shared/dry-run.ts'
import { atDesk } from '../shared/operation-parts.ts'
import { importAll } from './import-all.ts'
import { type ImportResult, importedRow, importResult, MOST_AT_ONCE } from './import-parts.ts'

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
    context.input.dry_run ? dryRun(makeChange, (db) => importAll({ ...context, db })) : undefined,
  handle: async (context, rehearsal) => ({ results: rehearsal ?? (await importAll(context)) }),
})
