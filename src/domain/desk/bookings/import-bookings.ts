import { defineOperation } from '../../../protocol/define-operation.ts'
import type { ImportBookings } from '../../../protocol/types.generated.ts'
import { dryRun } from '../shared/dry-run.ts'
import { atDesk } from '../shared/operation-defaults.ts'
import { importAll } from './import-booking-rows.ts'
import { type ImportResult, importedRow, importResult, MOST_AT_ONCE } from './import-schema.ts'

export const importBookings = defineOperation<ImportBookings & { prepared: ImportResult[] | undefined }>({
  ...atDesk,
  id: 'importBookings',
  rest: 'POST /business/bookings/import',
  tool: 'usp_business_bookings_import',
  title: 'Import bookings from another system',
  description:
    'Imports past and future bookings of another system. The answer lists the current rules that each booking ' +
    'breaks. Occupied time is never booked twice, and a refused booking does not stop the others. A key of a source ' +
    'is imported once. Nobody is notified unless the call asks for it.',
  effect: 'create',
  role: 'manager',
  input: {
    type: 'object',
    required: ['source', 'bookings'],
    properties: {
      source: {
        type: 'string',
        pattern: '^[a-z0-9][a-z0-9._-]{0,39}$',
        description: 'The other system, such as easyappointments. Keys are unique within it.',
      },
      bookings: {
        type: 'array',
        minItems: 1,
        maxItems: MOST_AT_ONCE,
        items: importedRow,
        description: 'Imported in this order; the earliest first gives the fewest conflicts.',
      },
      tell: {
        type: 'boolean',
        default: false,
        description: 'Whether buyers are notified that the booking is now here. Reminders are sent in any case.',
      },
      dry_run: {
        type: 'boolean',
        default: false,
        description: 'Whether this is a dry run, which only reports what would happen.',
      },
    },
  },
  output: {
    type: 'object',
    required: ['results'],
    properties: {
      results: { type: 'array', items: importResult, description: 'One result per booking, in the same order.' },
    },
  },
  summary: ({ results }) => {
    const count = (wanted: ImportResult['outcome']) => results.filter(({ outcome }) => outcome === wanted).length
    return `${count('imported')} imported, ${count('already_there')} already there, ${count('refused')} refused.`
  },
  prepare: async ({ makeChange, ...context }) =>
    context.input.dry_run ? dryRun(makeChange, (db) => importAll({ ...context, db })) : undefined,
  handle: async (context, rehearsal) => ({ results: rehearsal ?? (await importAll(context)) }),
})
