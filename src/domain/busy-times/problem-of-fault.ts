import { type Problem, UnreadCalendarError } from './calendar-problems.ts'
import { CalendarError, type CalendarFault } from './reader/event-error.ts'

const PROBLEM_OF_FAULT = {
  not_calendar: 'not_calendar',
  truncated: 'truncated',
  too_many_events: 'too_large',
  too_complex: 'too_large',
} as const satisfies Record<CalendarFault, Problem>

/** Throws the error of the reader as the problem that the desk shows. */
export function problemOfFault(error: unknown): never {
  throw error instanceof CalendarError ? new UnreadCalendarError(PROBLEM_OF_FAULT[error.fault]) : error
}
