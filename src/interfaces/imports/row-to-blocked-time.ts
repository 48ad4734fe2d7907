import type { SourceRow } from './import-columns.ts'
import type { Names } from './match-names-to-ids.ts'
import { RowRefusedError, resourcesOf, timeOfColumn } from './row-to-booking.ts'

export interface Block {
  resource: string
  start: string
  end: string
  reason?: string
}

export function toBlock({ values, fault }: SourceRow, { names, zone }: { names: Names; zone: string }): Block {
  if (fault !== undefined) throw new RowRefusedError(fault)
  const start = timeOfColumn('start', values.start, zone)
  const end = timeOfColumn('end', values.end, zone)
  if (start === undefined || end === undefined)
    throw new RowRefusedError('It does not say from when until when (start, end): what is blocked has both.')
  const [resource, ...others] = resourcesOf(names, values.with) ?? []
  if (resource === undefined || others.length > 0)
    throw new RowRefusedError('It does not say whose time it is (with): one person, room or thing for each row.')
  return { resource, start, end, ...(values.notes !== undefined && { reason: values.notes }) }
}
