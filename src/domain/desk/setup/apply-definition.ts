import { businessVersion, definitionLock } from '../../../core/business/queries.ts'
import { insertAuditEntry } from '../../../core/records/audit-log.ts'
import type { UnitOfWork } from '../../../infra/db/unit-of-work.ts'
import { PlainError } from '../../../infra/util/plain-error.ts'
import { BusinessRefusal } from '../../../protocol/errors.ts'
import { defineOperation } from '../../../protocol/operation.ts'
import type { ApplyBusinessDefinition } from '../../../protocol/types.generated.ts'
import type { Change as Difference } from '../../definition/differences.ts'
import type { ParsedDefinition } from '../../definition/read-definition.ts'
import { readInWorker } from '../../definition/read-in-worker.ts'
import { WARNINGS, type WarningCode } from '../../definition/warning.ts'
import { missingStripeKeyWarnings } from '../../payments/missing-stripe-key.ts'
import { unknownCollectors, unknownCollectorText } from '../../payments/unknown-collectors.ts'
import { atDesk } from '../shared/operation-parts.ts'
import { strandedShape } from '../shared/stranded-parts.ts'
import { LONGEST_DEFINITION, versionShape } from './setup-parts.ts'

export const applyDefinition = defineOperation<ApplyBusinessDefinition & { prepared: ParsedDefinition }>({
  ...atDesk,
  id: 'applyBusinessDefinition',
  rest: 'PUT /business/definition',
  tool: 'usp_business_definition_apply',
  title: 'Apply a business definition',
  description:
    'Brings the server to this definition, whole or not at all, and tells what that changes. A dry run only tells. Read the ' +
    'one in force first, change what is to be another, and give all of it: what is left out is removed. The class times follow: ' +
    'they are up to date when it answers, or within two minutes where there are tens of thousands.',
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
          'As YAML or JSON: what a file for `usp apply` holds. A text in a call has 64 KiB at most; a longer one is set at the ' +
          'desk or by `usp apply`.',
      },
      version: versionShape('The one that it was made of. Refused when another is in force by now.'),
      dry_run: { type: 'boolean', default: false, description: 'Whether it is only told what would change.' },
    },
  },
  output: {
    type: 'object',
    required: ['version', 'changes', 'warnings', 'noted', 'stranded'],
    properties: {
      version: versionShape('The one in force now.'),
      changes: {
        type: 'array',
        description: 'What is another than before, things by their ids.',
        items: {
          type: 'object',
          required: ['kind', 'what', 'details'],
          properties: {
            kind: { enum: ['added', 'changed', 'removed'], description: 'What becomes of it.' },
            what: { type: 'string', description: 'Such as service svc_color, or hours.' },
            details: { type: 'array', items: { type: 'string' }, description: 'Members that differ: before → after.' },
          },
        },
      },
      warnings: {
        type: 'array',
        items: { type: 'string' },
        description: 'What is allowed, but probably not meant.',
      },
      noted: {
        type: 'array',
        description: 'The same in the same order, for whoever says it in words of their own.',
        items: {
          type: 'object',
          required: ['code', 'path', 'values'],
          properties: {
            code: { enum: WARNINGS, description: 'What it is.' },
            path: { type: 'string', description: 'Of the member, such as services[svc_color].pricing.amount.' },
            values: {
              type: 'object',
              additionalProperties: { type: 'string' },
              description: 'What its words name.',
            },
          },
        },
      },
      stranded: strandedShape,
    },
  },
  summary: ({ changes, stranded: { total } }) =>
    changes.length === 0
      ? 'Nothing is to change.'
      : changes.map(({ kind, what }) => `${what}: ${kind}`).join('; ') +
        (total === 0 ? '' : `. Bookings that cannot be as agreed by it: ${total}.`),
  prepare: ({ input: { definition: text } }) =>
    readInWorker(text).catch((error: unknown) => {
      throw error instanceof PlainError ? new BusinessRefusal('validation_error', error.message, '$.definition') : error
    }),
  async handle({ input: { version, dry_run: isDry = false }, db, caller, now, config }, reading) {
    const { definition } = reading
    // Loaded only when needed: a server applies a definition rarely.
    const { applyInTransaction, dryRunDefinition } = await import(
      '../../definition/apply-definition.ts'
    )
    if (!isDry) await definitionLock(db)
    const inForce = await businessVersion(db)
    if (version !== undefined && version !== inForce)
      throw new BusinessRefusal(
        'invalid_transition',
        `The definition was changed meanwhile: it is version ${inForce} now, and this was made of ${version}. Read it again.`,
        '$.version',
      )
    const { changes, stranded } = await (isDry ? dryRunDefinition : applyInTransaction)(db, definition, now)
    if (!isDry && changes.length > 0) noteApplied(db, caller.principal, changes, now)
    return {
      version: isDry || changes.length === 0 ? inForce : inForce + 1,
      ...{ changes, stranded },
      ...warningsOf(reading, await unknownCollectors(db, definition), missingStripeKeyWarnings(definition, config)),
    }
  },
  async afterwards({ input: { dry_run: isDry = false }, now, ...means }) {
    if (isDry) return
    const { syncSessionsIfBehind } = await import('../../definition/sync-sessions.ts')
    const until = performance.now() + MOST_SYNC_MS
    await syncSessionsIfBehind(means, now, { shouldStop: () => performance.now() > until })
  },
})

/** Time for class times within the call. The background completes the rest. */
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
      ...{ actor, action: 'apply', subject: 'business', from: null, to: null },
      detail: { changes: changes.map(({ kind, what }) => `${what}: ${kind}`) },
    },
    now,
  )
