import pg from 'pg'

/** What it means when the database does not do what it was asked to. What is not listed is a fault of ours. */
export type Failure = 'unreachable' | 'read only' | 'busy' | 'conflict'

/** By SQLSTATE, whole or from its start: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const sqlStates: Record<string, Failure> = {
  '08': 'unreachable', // the connection broke
  '28': 'unreachable', // it lets us in no more
  '3D': 'unreachable', // there is no such database
  '53': 'unreachable', // out of memory, disk or connections
  '57': 'unreachable', // it shuts down, or starts
  '58': 'unreachable', // its disk fails
  '25P03': 'unreachable', // this server was idle for so long in a transaction that the connection was ended
  '25P04': 'unreachable',
  '25006': 'read only', // a standby, or a database that was closed for writing
  '55P03': 'busy', // a lock was waited for long enough
  '57014': 'busy', // a statement ran for long enough
  '40001': 'conflict',
  '40P01': 'conflict',
}

const unreachable = {
  codes: /^(ECONN|ENOTFOUND|EPIPE|ETIMEDOUT|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)/,
  messages:
    /^(Connection terminated|timeout e|Client has encountered a connection error|Client was closed and is not queryable)/,
}

export function failureOf(error: unknown): Failure | undefined {
  if (!(error instanceof Error)) return undefined
  if (error instanceof NoTurn) return 'busy'
  if (error instanceof OtherHost) return 'read only'
  if (error instanceof NotFound || error instanceof NotReplicated) return 'unreachable'
  const code = 'code' in error ? String(error.code) : ''
  if (error instanceof pg.DatabaseError) return sqlStates[code] ?? sqlStates[code.slice(0, 2)]
  return unreachable.codes.test(code) || unreachable.messages.test(error.message) ? 'unreachable' : undefined
}

/** Whether the database could not be reached, as against having refused the statement. */
export const isUnreachable = (error: unknown): boolean => failureOf(error) === 'unreachable'

/** Whether a database is there that refuses, as one without room for another connection; as against one that stops or starts. */
export const isThere = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && !/^(08|57)/.test(error.code ?? '')

const said =
  (sqlState: string) =>
  (error: unknown): error is pg.DatabaseError =>
    error instanceof pg.DatabaseError && error.code === sqlState

/** Which statement error PostgreSQL answered with, without any text or value of the statement. */
export const statementError = (error: unknown): string | undefined =>
  error instanceof pg.DatabaseError
    ? [`SQLSTATE ${error.code}`, error.constraint].filter(Boolean).join(', ')
    : undefined

/** Whether there was no room left for a change. */
export const isDiskFull = said('53100')

/** Whether the user of the database may not do it. */
export const isNotAllowed = said('42501')

/** Whether what a row refers to is gone. */
export const refersToNothing = said('23503')

/** Whether a prepared statement was asked for by a name that nothing has, or made by one that something has. */
export const isStatementMissing = said('26000')
export const isStatementKnown = said('42P05')

/** A change waited for its turn long enough. */
export class NoTurn extends Error {}

/** None of the hosts at which the database may be has answered so far. */
export class NotFound extends Error {}

/** A host is not what is demanded of it: a standby, where changes are to be made. */
export class OtherHost extends Error {}

/** A change took effect on the primary alone, since it was kept from waiting for the standbys: a failover may undo it. */
export class NotReplicated extends Error {}

/** This server must not change anything at present. */
export class NotNow extends Error {}
