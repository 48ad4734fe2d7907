/**
 * Why the server cannot read a calendar, or write bookings into it. In all these cases, the calendar keeps blocking the
 * times of the last successful read.
 */
export const PROBLEMS = [
  'unreachable',
  'refused',
  'address_forbidden',
  'not_calendar',
  'truncated',
  'too_large',
  'address_lost',
  'password_refused',
  'other_host',
  'no_calendar',
  'access_revoked',
  'app_refused',
  'not_writable',
] as const

export type Problem = (typeof PROBLEMS)[number]

/** The error for a calendar that could not be read. */
export class UnreadCalendarError extends Error {
  override name = 'UnreadCalendarError'
  readonly problem: Problem
  /** The pause that the provider asks for, in milliseconds. */
  readonly pause: number | undefined

  constructor(problem: Problem, pause?: number) {
    super(`The calendar could not be read: ${problem}.`)
    this.problem = problem
    this.pause = pause
  }
}
