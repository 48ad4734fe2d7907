import { CALENDAR_PROVIDERS } from '../../infra/config/calendar-providers.ts'
import { rfc3339 } from '../../infra/time/time-zone.ts'
import { omitUndefined } from '../../infra/util/object-members.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { Schema } from '../../protocol/json-schemas.ts'
import { PROBLEMS } from './calendar-problems.ts'
import type { ListedSource } from './source-queries.ts'

/**
 * Settings that the operations on calendars of other providers share. Each staff member may read a calendar again.
 * Managers connect and disconnect calendars, as they change working hours.
 */
export const onSources = {
  capability: 'dev.usp-protocol.services.bookings',
  access: 'business_only',
} as const

export const LONGEST_NAME = 100
export const LONGEST_ADDRESS = 2_000
export const LONGEST_USER = 200
export const LONGEST_PASSWORD = 500
/** The maximum number of calendars that a person chooses by their names. */
export const MOST_CALENDARS = 50

const KINDS = ['ics', 'caldav', ...CALENDAR_PROVIDERS] as const

export const sourceInput = {
  type: 'object',
  required: ['source_id'],
  properties: { source_id: { type: 'string', minLength: 1, description: 'Id of the connected calendar.' } },
} as const

const moment = (description: string) => ({ type: 'string', format: 'date-time', description })

export const sourceShape: Schema = {
  type: 'object',
  required: ['id', 'resource_id', 'kind', 'name', 'host', 'created_at', 'state', 'next_read_at', 'busy_soon'],
  properties: {
    id: { type: 'string', description: 'Its id.' },
    resource_id: { type: 'string', description: 'Whose time it blocks.' },
    kind: { type: 'string', enum: [...KINDS], description: 'How it is read.' },
    name: { type: 'string', description: 'Its name.' },
    host: { type: 'string', description: 'The host of its address.' },
    created_at: moment('When it was connected.'),
    state: {
      type: 'string',
      enum: ['new', 'read', 'failing'],
      description:
        'new: not read yet. failing: the last read failed; the times of the last successful read stay blocked.',
    },
    read_at: moment('The last successful read.'),
    next_read_at: moment('The next read.'),
    busy_soon: { type: 'integer', minimum: 0, description: 'Busy times in the next 30 days.' },
    unread_events: { type: 'integer', minimum: 1, description: 'Events that are not understood and block nothing.' },
    failing_since: moment('The first failed read in a row.'),
    problem: { type: 'string', enum: [...PROBLEMS], description: 'Why it cannot be read.' },
    writes: {
      type: 'object',
      required: ['calendar', 'names', 'waiting'],
      description: 'The calendar of the account into which bookings are written.',
      properties: {
        calendar: { type: 'string', description: 'Its name.' },
        names: { type: 'boolean', description: 'With the names of customers.' },
        waiting: { type: 'integer', minimum: 0, description: 'Bookings still to write.' },
        written_at: moment('When the last due booking was written.'),
        failing_since: moment('The first failed attempt in a row.'),
        problem: { type: 'string', enum: [...PROBLEMS], description: 'Why it cannot be written.' },
      },
    },
  },
}

export const sourceOutput = {
  type: 'object',
  required: ['source'],
  properties: { source: sourceShape },
} as const

/** A connected calendar in the format of answers. The address is a secret, so only its host is in the answer. */
export const toSource = (row: ListedSource, zone: string) => {
  const at = (time: Date) => rfc3339(zone, time.getTime())
  const { id, resource_id, kind, name, host, problem, failing_since, read_at, unread_events } = row
  return {
    id,
    resource_id,
    kind: KINDS.find((one) => one === kind) ?? 'ics',
    name,
    host,
    created_at: at(row.created_at),
    state: problem !== null ? ('failing' as const) : read_at ? ('read' as const) : ('new' as const),
    next_read_at: at(row.next_at),
    busy_soon: row.busy_soon,
    ...omitUndefined({
      read_at: read_at ? at(read_at) : undefined,
      unread_events: unread_events > 0 ? unread_events : undefined,
      failing_since: problem !== null && failing_since ? at(failing_since) : undefined,
      problem: PROBLEMS.find((one) => one === problem),
      writes: row.writing ? toWriting(row.writing, zone) : undefined,
    }),
  }
}

function toWriting(
  { calendar, names, waiting, written_at, failing_since, problem }: NonNullable<ListedSource['writing']>,
  zone: string,
) {
  const at = (time: string | null) => (time === null ? undefined : rfc3339(zone, Date.parse(time)))
  return {
    calendar,
    names,
    waiting,
    ...omitUndefined({
      written_at: at(written_at),
      failing_since: at(failing_since),
      problem: PROBLEMS.find((one) => one === problem),
    }),
  }
}

export const noSource = (id: string) => new ProtocolError('not_found', `There is no connected calendar ${id}.`)
