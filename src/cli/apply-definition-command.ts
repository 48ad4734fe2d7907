import { parseArgs } from 'node:util'
import type { AffectedReason } from '../domain/definition/affected-booking-reasons.ts'
import type { AffectedList } from '../domain/definition/affected-bookings.ts'
import { applyDefinition } from '../domain/definition/apply-definition.ts'
import type { Change } from '../domain/definition/compare-definitions.ts'
import { readDefinitionFile } from '../domain/definition/read-definition.ts'
import {
  missingStripeKeyWarnings,
  unknownCollectors,
  unknownCollectorText,
} from '../domain/payments/payment-settings-warnings.ts'
import { PlainError, USP } from '../infra/util/command-line-error.ts'
import { connect } from './open-database.ts'
import { classTimesIncomplete, classTimesProgress } from './print-class-session-progress.ts'

export async function run(args: string[]) {
  const { file, dryRun } = readArguments(args)
  const { definition, warnings } = readDefinitionFile(file)
  for (const warning of warnings) console.error(`Warning: ${warning}`)

  // A dry run of `usp apply` also works on an empty database, so it does not require a database schema.
  const { db, config, clock, close } = await connect({ schema: dryRun ? 'any' : 'fitting' })
  try {
    for (const warning of [
      ...(await unknownCollectors(db, definition)).map(unknownCollectorText),
      ...missingStripeKeyWarnings(definition, config),
    ])
      console.error(`Warning: ${warning}`)
    const onProgress = classTimesProgress(console.error)
    const { changes, stranded, incomplete } = await applyDefinition(db, definition, clock(), { dryRun, onProgress })
    console.log(report(changes, definition.business.name, dryRun))
    if (stranded.total > 0) console.log(strandedReport(stranded, dryRun))
    if (incomplete !== undefined) console.error(`Warning: ${classTimesIncomplete(incomplete)}`)
  } finally {
    await close()
  }
}

function readArguments(args: string[]) {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { 'dry-run': { type: 'boolean' } },
    })
    const [file, ...more] = positionals
    if (file === undefined || more.length > 0) throw new PlainError(`Usage: ${USP} apply FILE [--dry-run]`)
    return { file, dryRun: values['dry-run'] ?? false }
  } catch (error) {
    throw new PlainError(error instanceof Error ? error.message : String(error))
  }
}

const signs = { added: '+', changed: '~', removed: '-' } as const

function report(changes: Change[], business: string, dryRun: boolean): string {
  if (changes.length === 0) return `${business} already matches the file: nothing to change.`
  const lines = changes.flatMap(({ kind, what, details }) => [
    `${signs[kind]} ${what}`,
    ...details.map((detail) => `    ${detail}`),
  ])
  const count = (kind: Change['kind']) => `${changes.filter((change) => change.kind === kind).length} ${kind}`
  const counts = [count('added'), count('changed'), count('removed')].join(', ')
  return [...lines, '', dryRun ? `Would apply to ${business}: ${counts}.` : `Applied to ${business}: ${counts}.`].join(
    '\n',
  )
}

const words: Record<AffectedReason, string> = {
  no_service: 'the service no longer exists',
  no_class: 'no class at that time',
  no_place: 'the service is no longer offered at this place',
  no_resource: 'its resource no longer provides this service',
  closed: 'closed at that time',
  away: 'its resource is away at that time',
}

/**
 * Lists the bookings that no longer fit the new business definition. The list shows booking references and no names of
 * buyers, because some terminals store their output.
 */
function strandedReport({ total, bookings }: AffectedList, dryRun: boolean): string {
  const lines = bookings.map(
    ({ reference, start, service_id, resource_ids, reasons }) =>
      `! ${[reference, start, service_id, ...resource_ids].join(' ')}: ${reasons.map((one) => words[one]).join(', ')}`,
  )
  const more = total > bookings.length ? [`  and ${total - bookings.length} more`] : []
  const many = total === 1 ? '1 booking' : `${total} bookings`
  return [
    '',
    ...lines,
    ...more,
    '',
    dryRun
      ? `Would affect ${many}: no buyer is notified, and each booking would wait in the inbox of the desk.`
      : `Affected ${many}: no buyer was notified. Each booking waits in the inbox of the desk until the staff move, cancel or keep it.`,
  ].join('\n')
}
