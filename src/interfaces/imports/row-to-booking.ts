import { hash } from 'node:crypto'
import { type ImportedRow, importedRow } from '../../domain/desk/bookings/import-schema.ts'
import { omitUndefined } from '../../infra/util/object-members.ts'
import { unstorableText } from '../../protocol/parse-json-safely.ts'
import { allFindings, compile } from '../../protocol/schema-validator.ts'
import type { SourceRow } from './import-columns.ts'
import type { Kind, Names } from './match-names-to-ids.ts'
import { parseTime } from './parse-time.ts'

/**
 * The error for an import row that the import refuses. The message explains the reason to the person who corrects the
 * file.
 */
export class RowRefusedError extends Error {}

const fits = compile(importedRow)

/**
 * Converts an import row to the input of the import operation. Throws `RowRefusedError` if a required value is missing
 * or a value is invalid.
 */
export function toBooking({ values, fault }: SourceRow, { names, zone }: { names: Names; zone: string }): ImportedRow {
  if (fault !== undefined) throw new RowRefusedError(fault)
  const {
    service = '',
    place,
    people,
    notes,
    customer_notes,
    status,
    paid,
    line1,
    line2,
    city = '',
    region,
    postal_code,
    country = '',
  } = values
  const start = timeOfColumn('start', values.start, zone)
  const end = timeOfColumn('end', values.end, zone)
  if (start === undefined) throw new RowRefusedError('It does not say when it begins (start).')
  if (service === '') throw new RowRefusedError('It does not say what it is of (service).')
  const key =
    values.id ??
    hash(
      'sha256',
      JSON.stringify([
        start,
        end,
        service,
        values.with,
        place,
        values.name,
        values.first_name,
        values.last_name,
        values.email,
        values.phone,
      ]),
      'base64url',
    )
  const row = {
    key,
    start,
    service_id: idOf(names, 'service', service) ?? '',
    buyer: buyerOf(values),
    ...omitUndefined({
      end,
      notes,
      customer_note: customer_notes,
      resource_ids: resourcesOf(names, values.with),
      location_id: place && idOf(names, 'place', place),
      party_size: people === undefined ? undefined : wholeNumber(people),
      status: statusOf(status),
      paid: isPaid(paid),
      delivery_address: line1 && { line1, city, country, ...omitUndefined({ line2, region, postal_code }) },
    }),
  }
  if (!isImported(row))
    throw new RowRefusedError(
      allFindings(fits, row)
        .faults.map(({ field, message }) => `${field} ${message}`)
        .join('; '),
    )
  if (unstorableText(row, 1).length > 0) throw new RowRefusedError('It holds a character that text cannot have.')
  return row
}

const isImported = (row: object): row is ImportedRow => fits(row) === true

export function timeOfColumn(column: string, text: string | undefined, zone: string): string | undefined {
  if (text === undefined) return undefined
  const read = parseTime(text, zone)
  if (read === undefined)
    throw new RowRefusedError(
      `${column} is ${quoted(text)}: write it as 2026-12-01 10:00, or 2026-12-01T10:00:00+01:00.`,
    )
  return read
}

/**
 * Returns the id for a name in the import file. If the name map leaves out the person, room or location, returns
 * undefined. If it leaves out the service of the row, the import refuses the row.
 */
function idOf(names: Names, kind: Kind, name: string): string | undefined {
  const found = names(kind, name)
  if ('fault' in found) throw new RowRefusedError(found.fault)
  if ('id' in found) return found.id
  if (kind === 'service') throw new RowRefusedError(`The map leaves ${name} out.`)
  return undefined
}

export function resourcesOf(names: Names, text: string | undefined): string[] | undefined {
  const ids = (text ?? '')
    .split('|')
    .map((name) => name.trim())
    .filter(Boolean)
    .flatMap((name) => idOf(names, 'with', name) ?? [])
  return ids.length > 0 ? ids : undefined
}

function buyerOf({ name, first_name = name, last_name, email, phone }: SourceRow['values']): ImportedRow['buyer'] {
  const called = first_name ?? last_name ?? email
  if (called === undefined) throw new RowRefusedError('It does not say who comes (name, or first_name and last_name).')
  const family = first_name === undefined ? undefined : last_name
  return {
    first_name: called,
    ...omitUndefined({ last_name: family, email, phone_number: phone?.replaceAll('/', ' ') }),
  }
}

function wholeNumber(text: string): number {
  if (!/^\d{1,5}$/.test(text)) throw new RowRefusedError(`people is ${quoted(text)}: write a whole number.`)
  return Number(text)
}

const STATUSES: Record<string, ImportedRow['status'] | 'canceled' | 'undecided'> = {
  confirmed: 'confirmed',
  booked: 'confirmed',
  accepted: 'confirmed',
  completed: 'completed',
  attended: 'completed',
  no_show: 'no_show',
  canceled: 'canceled',
  cancelled: 'canceled',
  rejected: 'canceled',
  pending: 'undecided',
  tentative: 'undecided',
}

function statusOf(text: string | undefined): ImportedRow['status'] {
  if (text === undefined) return undefined
  const status = STATUSES[text.toLowerCase().replaceAll(/[\s-]+/g, '_')]
  if (status === 'canceled') throw new RowRefusedError('It was canceled there.')
  if (status === 'undecided')
    throw new RowRefusedError('It was not agreed to there. Decide, then import it as confirmed.')
  if (status === undefined)
    throw new RowRefusedError(`status is ${quoted(text)}: write one of ${Object.keys(STATUSES).join(', ')}, blocked.`)
  return status
}

function isPaid(text: string | undefined): boolean | undefined {
  if (text === undefined) return undefined
  if (/^(yes|true|t|1|paid)$/i.test(text)) return true
  if (/^(no|false|f|0|unpaid)$/i.test(text)) return false
  throw new RowRefusedError(`paid is ${quoted(text)}: write yes or no.`)
}

const quoted = (text: string) => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)
