import { businessVersion, definitionLock } from '../../../core/business/definition-queries.ts'
import { insertAuditEntry } from '../../../core/records/audit-log.ts'
import type { UnitOfWork } from '../../../infra/db/unit-of-work.ts'
import { PlainError } from '../../../infra/util/command-line-error.ts'
import { defineOperation } from '../../../protocol/define-operation.ts'
import { BusinessRefusal, invalidInput } from '../../../protocol/errors.ts'
import type { ApplyBusinessDefinition } from '../../../protocol/types.generated.ts'
import type { Change as Difference } from '../../definition/compare-definitions.ts'
import { readInWorker } from '../../definition/parse-definition-in-worker.ts'
import type { ParsedDefinition } from '../../definition/read-definition.ts'
import { WARNINGS, type WarningCode } from '../../definition/warning-codes.ts'
import {
  missingStripeKeyWarnings,
  unknownCollectors,
  unknownCollectorText,
} from '../../payments/payment-settings-warnings.ts'
import { strandedShape } from '../shared/affected-booking-schema.ts'
import { atDesk } from '../shared/operation-defaults.ts'
import { LONGEST_DEFINITION, versionShape } from './get-definition.ts'

export const applyDefinition = defineOperation<ApplyBusinessDefinition & { prepared: ParsedDefinition }>({
  ...atDesk,
  id: 'applyBusinessDefinition',
  rest: 'PUT /business/definition',
  tool: 'usp_business_definition_apply',
  title: 'Apply a business definition',
  description:
    'Applies a whole business definition or nothing of it, and reports the changes. A dry run only reports ' +
    'them. First read the definition in force, then change it and send all of it: members that are left out are ' +
    'removed. The times of very many classes are updated within two minutes.',
  role: 'manager',
  effect: 'update',
  input: {
    type: 'object',
    required: ['definition'],
    properties: {
      definition: {
        type: 'string',
        minLength: 1,
        maxLength: LONGEST_DEFINITION,
        description:
          'The definition as YAML or JSON, like a file for `usp apply`. A text in a call has at most 64 KiB; ' +
          'apply a longer one at the desk or with `usp apply`.',
      },
      version: versionShape(
        'The version that this definition is based on. The call is refused if another version is in force.',
      ),
      dry_run: {
        type: 'boolean',
        default: false,
        description: 'Whether this is a dry run, which only reports the changes.',
      },
    },
  },
  output: {
    type: 'object',
    required: ['version', 'changes', 'warnings', 'noted', 'stranded'],
    properties: {
      version: versionShape('The version in force now.'),
      changes: {
        type: 'array',
        description: 'The changes, with ids.',
        items: {
          type: 'object',
          required: ['kind', 'what', 'details'],
          properties: {
            kind: { enum: ['added', 'changed', 'removed'], description: 'The kind of change.' },
            what: { type: 'string', description: 'The changed part, such as service svc_color, or hours.' },
            details: { type: 'array', items: { type: 'string' }, description: 'The changed members: before → after.' },
          },
        },
      },
      warnings: {
        type: 'array',
        items: { type: 'string' },
        description: 'Values that are allowed, but probably a mistake.',
      },
      noted: {
        type: 'array',
        description: 'The warnings as codes, in the same order, for callers with texts of their own.',
        items: {
          type: 'object',
          required: ['code', 'path', 'values'],
          properties: {
            code: { enum: WARNINGS, description: 'Code of the warning.' },
            path: { type: 'string', description: 'Path of the member, such as services[svc_color].pricing.amount.' },
            values: {
              type: 'object',
              additionalProperties: { type: 'string' },
              description: 'The values in the text of the warning.',
            },
          },
        },
      },
      stranded: strandedShape,
    },
  },
  summary: ({ changes, stranded: { total } }) =>
    changes.length === 0
      ? 'Nothing changes.'
      : changes.map(({ kind, what }) => `${what}: ${kind}`).join('; ') +
        (total === 0 ? '' : `. Bookings that no longer fit: ${total}.`),
  prepare: ({ input: { definition: text } }) =>
    readInWorker(text).catch((error: unknown) => {
      throw error instanceof PlainError ? invalidInput(error.message, '$.definition') : error
    }),
  async handle({ input: { version, dry_run: isDry = false }, db, caller, now, config }, reading) {
    const { definition } = reading
    // The server loads this module only when it applies a business definition, which is rare.
    const { applyInTransaction, dryRunDefinition } = await import('../../definition/apply-definition.ts')
    if (!isDry) await definitionLock(db)
    const inForce = await businessVersion(db)
    if (version !== undefined && version !== inForce)
      throw new BusinessRefusal(
        'invalid_transition',
        `Another version was applied meanwhile: version ${inForce} is in force now, but this definition is ` +
          `based on version ${version}. Read it again.`,
        '$.version',
      )
    const { changes, stranded } = await (isDry ? dryRunDefinition : applyInTransaction)(db, definition, now)
    if (!isDry && changes.length > 0) noteApplied(db, caller.principal, changes, now)
    return {
      version: isDry || changes.length === 0 ? inForce : inForce + 1,
      changes,
      stranded,
      ...warningsOf(reading, await unknownCollectors(db, definition), missingStripeKeyWarnings(definition, config)),
    }
  },
  async afterwards({ input: { dry_run: isDry = false }, now, ...dependencies }) {
    if (isDry) return
    const { syncSessionsIfBehind } = await import('../../definition/sync-class-sessions.ts')
    const until = performance.now() + MOST_SYNC_MS
    await syncSessionsIfBehind(dependencies, now, { shouldStop: () => performance.now() > until })
  },
})

/**
 * The call creates or changes class sessions for at most this many milliseconds. A background job makes the remaining
 * changes later.
 */
const MOST_SYNC_MS = 10_000

const warningsOf = ({ warnings, noted }: ParsedDefinition, collectors: string[], keyless: string[]) => ({
  warnings: [...warnings, ...collectors.map(unknownCollectorText), ...keyless],
  noted: [
    ...noted,
    ...collectors.map(
      (name): WarningCode => ({ code: 'unknown_collector', path: 'payments.collected_by', values: { name } }),
    ),
    ...keyless.map((): WarningCode => ({ code: 'no_stripe_key', path: 'payments.provider', values: {} })),
  ],
})

const noteApplied = (db: UnitOfWork, actor: string, changes: Difference[], now: Date) =>
  insertAuditEntry(
    db,
    {
      actor,
      action: 'apply',
      subject: 'business',
      from: null,
      to: null,
      detail: { changes: changes.map(({ kind, what }) => `${what}: ${kind}`) },
    },
    now,
  )
