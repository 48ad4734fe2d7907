/**
 * The error for an event that the server cannot read, or that repeats too often. The message names the faulty part. It
 * contains no text from the calendar, because the text can be private.
 */
export class EventError extends Error {
  override name = 'EventError'
}

/** The error for a calendar that the server cannot use as a whole. */
export class CalendarError extends Error {
  override name = 'CalendarError'
  readonly fault: CalendarFault

  constructor(fault: CalendarFault) {
    super(`The calendar was refused: ${fault}.`)
    this.fault = fault
  }
}

/**
 * Why a calendar cannot be used. `not_calendar`: it is another kind of file, such as a web page. `truncated`: its end
 * is missing. `too_many_events`: it has too many events. `too_complex`: reading it takes too much time or memory.
 */
export type CalendarFault = 'not_calendar' | 'truncated' | 'too_many_events' | 'too_complex'
