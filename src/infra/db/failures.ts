import pg from 'pg'

/** The database failures that callers handle. Any other error is a fault of the server. */
export type Failure = 'unreachable' | 'read only' | 'busy' | 'conflict'

/** By SQLSTATE, or by its first two characters: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const sqlStates: Record<string, Failure> = {
  '08': 'unreachable', // the connection broke
  '28': 'unreachable', // the login failed
  '3D': 'unreachable', // there is no such database
  '53': 'unreachable', // out of memory, disk or connections
  '57': 'unreachable', // it shuts down or starts
  '58': 'unreachable', // a system error, such as a failing disk
  '25P03': 'unreachable', // this server was idle in a transaction for too long
  '25P04': 'unreachable',
  '25006': 'read only', // a standby, or a read-only database
  '55P03': 'busy', // lock timeout
  '57014': 'busy', // statement timeout
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

/** Whether the database could not be reached. False when it refused the statement. */
export const isUnreachable = (error: unknown): boolean => failureOf(error) === 'unreachable'

/**
 * Whether a database is running that refuses, for example because it has no free connection. False while it stops or
 * starts.
 */
export const isDatabaseRunning = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && !/^(08|57)/.test(error.code ?? '')

const hasSqlState =
  (sqlState: string) =>
  (error: unknown): error is pg.DatabaseError =>
    error instanceof pg.DatabaseError && error.code === sqlState

/** The SQLSTATE and the constraint, without any text or value of the statement. */
export const statementError = (error: unknown): string | undefined =>
  error instanceof pg.DatabaseError
    ? [`SQLSTATE ${error.code}`, error.constraint].filter(Boolean).join(', ')
    : undefined

export const isDiskFull = hasSqlState('53100')

export const isPrivilegeMissing = hasSqlState('42501')

/** Whether a foreign key refers to a missing row. */
export const isReferenceMissing = hasSqlState('23503')

export class ConcurrencyTimeoutError extends Error {}

export class NoConnectionError extends Error {}

/** A host has the wrong role, for example a standby instead of a primary. */
export class WrongHostRoleError extends Error {}

/**
 * A commit may exist only on the primary, since something interrupted the wait for the standbys. A failover may undo it.
 */
export class NotReplicatedError extends Error {}

export class ChangesRefusedError extends Error {}
