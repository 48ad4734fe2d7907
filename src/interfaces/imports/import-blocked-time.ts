import { blockTime } from '../../domain/desk/hours/block-time.ts'
import { asRecord } from '../../infra/util/object-members.ts'
import type { CallDependencies } from '../../pipeline/dispatch-operation.ts'
import { callDeskWithRetry } from './call-desk-with-retry.ts'
import type { SourceRow } from './import-columns.ts'
import type { RowResult } from './import-row-result.ts'
import type { Block } from './row-to-blocked-time.ts'

/**
 * A booking or blocked time from an earlier row of this import. A dry run stores nothing, so it must compare each
 * blocked time with these rows instead of the database.
 */
export interface ImportedEarlier {
  line: number
  isBlock: boolean
  start: string
  end?: string
  resource_ids?: readonly string[]
}

const LONGEST_REASON = 500

/**
 * Imports one blocked time of a person or room. Does not import a time in the past, or a time that another blocked time
 * already covers.
 */
export async function importBlock(
  row: SourceRow,
  block: Block,
  { isDryRun, planned }: { isDryRun: boolean; planned: ImportedEarlier[] },
  dependencies: CallDependencies,
): Promise<RowResult> {
  const { line, leftOut = [] } = row
  const { resource, start, end, reason = '' } = block
  const came = (outcome: RowResult['outcome'], more: Partial<RowResult> = {}): RowResult => ({
    line,
    start,
    outcome,
    ...more,
  })
  if (Date.parse(end) <= dependencies.clock().getTime())
    return came('left_out', { leftOut: [...leftOut, 'time that was blocked and is over'] })
  const input = {
    resource_id: resource,
    start,
    end,
    dry_run: isDryRun,
    ...(reason !== '' && { reason: reason.slice(0, LONGEST_REASON) }),
  }
  const before = isDryRun ? planned.filter((one) => isConflict(one, block)) : []
  if (before.length === 0) {
    const answer = await callDeskWithRetry(blockTime, input, dependencies)
    if (!answer.refusal) {
      planned.push({ line, isBlock: true, start, end, resource_ids: [resource] })
      const cut = reason.length > LONGEST_REASON ? [`of a reason, what is beyond ${LONGEST_REASON} characters`] : []
      return came('imported', { leftOut: [...leftOut, ...cut] })
    }
    const { taken_by } = asRecord(answer.refusal)
    if (Array.isArray(taken_by) && isBlockedBy(block, taken_by)) return came('already_there')
    return came('refused', { reason: answer.refusal.content })
  }
  if (before.some((one) => one.isBlock && isWithin(block, one))) return came('already_there')
  const lines = before.map((one) => one.line).join(', ')
  return came('refused', { reason: `Part of this time is what has been read before, in line ${lines}.` })
}

/** Whether an earlier row of the import uses the same person or room at an overlapping time. */
const isConflict = ({ start, end = start, resource_ids = [] }: ImportedEarlier, block: Block) =>
  resource_ids.includes(block.resource) && instant(start) < instant(block.end) && instant(end) > instant(block.start)

const isWithin = (inner: { start: string; end: string }, { start, end = start }: { start: string; end?: string }) =>
  instant(start) <= instant(inner.start) && instant(end) >= instant(inner.end)

/**
 * Whether an existing blocked time covers the whole blocked time of the row. If so, the import does not store the row.
 */
const isBlockedBy = (block: Block, occupied: readonly unknown[]) =>
  occupied.some((one) => isTakenBy(one) && one.kind === 'block' && isWithin(block, one))

const isTakenBy = (one: unknown): one is { kind: string; start: string; end: string } =>
  typeof one === 'object' && one !== null && 'kind' in one && 'start' in one && 'end' in one

const instant = (text: string) => Date.parse(text)
