import pg from 'pg'

/**
 * The kinds of database failures after which a later try can succeed. The server answers that it is temporarily
 * unavailable.
 */
export type Failure = 'unreachable' | 'read only' | 'busy' | 'conflict'

/**
 * Maps the error codes of PostgreSQL (SQLSTATE), or their first two characters, to a kind of failure. All codes are
 * listed at https://www.postgresql.org/docs/current/errcodes-appendix.html.
 */
const sqlStates: Record<string, Failure> = {
  '08': 'unreachable', // Error class: the connection to the database broke.
  '28': 'unreachable', // Error class: the login to the database failed.
  '3D': 'unreachable', // Error class: there is no database with this name.
  '53': 'unreachable', // Error class: the database has no free memory, disk or connections.
  '57': 'unreachable', // Error class: the database is stopping or starting.
  '58': 'unreachable', // Error class: the database has a system error, such as a failing disk.
  '25P03': 'unreachable', // Error code: this server was idle in a transaction for too long.
  '25P04': 'unreachable',
  '25006': 'read only', // Error code: the database is a standby, or is read-only.
  '55P03': 'busy', // Error code: a lock in the database was not free in time.
  '57014': 'busy', // Error code: a database statement took too long.
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
  if (error instanceof ConcurrencyTimeoutError) return 'busy'
  if (error instanceof WrongHostRoleError) return 'read only'
  if (error instanceof NoConnectionError || error instanceof NotReplicatedError) return 'unreachable'
  const code = 'code' in error ? String(error.code) : ''
  if (error instanceof pg.DatabaseError) return sqlStates[code] ?? sqlStates[code.slice(0, 2)]
  return unreachable.codes.test(code) || unreachable.messages.test(error.message) ? 'unreachable' : undefined
}

/**
 * Whether the error means that the server could not reach the database. False if the database refused the statement.
 */
export const isUnreachable = (error: unknown): boolean => failureOf(error) === 'unreachable'

/**
 * Whether the error comes from a running database, for example because it accepts no more connections. False while the
 * database stops or starts.
 */
export const isDatabaseRunning = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && !/^(08|57)/.test(error.code ?? '')

const hasSqlState =
  (sqlState: string) =>
  (error: unknown): error is pg.DatabaseError =>
    error instanceof pg.DatabaseError && error.code === sqlState

/**
 * Describes a database error by its error code (SQLSTATE) and constraint. Leaves out the statement and its values,
 * because they can be personal data.
 */
export const statementError = (error: unknown): string | undefined =>
  error instanceof pg.DatabaseError
    ? [`SQLSTATE ${error.code}`, error.constraint].filter(Boolean).join(', ')
    : undefined

export const isDiskFull = hasSqlState('53100')

export const isPrivilegeMissing = hasSqlState('42501')

/** Whether the database refused a row because a foreign key refers to a row that does not exist. */
export const isReferenceMissing = hasSqlState('23503')

export class ConcurrencyTimeoutError extends Error {}

export class NoConnectionError extends Error {}

/** The error for a database host with the wrong role, for example a standby instead of a primary. */
export class WrongHostRoleError extends Error {}

/**
 * The error for a commit that perhaps exists only on the primary database, because the wait for the standby databases
 * ended early. If a standby replaces the primary, this commit can be lost.
 */
export class NotReplicatedError extends Error {}

export class ChangesRefusedError extends Error {}
