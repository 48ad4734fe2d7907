import { hash } from 'node:crypto'
import { ownUidOf, type Span } from '../reader/busy-time-list.ts'
import type { ObjectTime } from '../reader/read-reports.ts'
import type { Channel } from './channels.ts'

/** An event in the answer of a provider, without its texts. */
export interface ProviderEvent {
  id: string
  /** The id of the repeating event to which this event belongs, or its own id. */
  series: string
  uid: string
  /** When it blocks time. Null if it blocks none. Undefined if the server cannot read the event. */
  span: Span | null | undefined
}

/** The state of an account after a read. The keys are digests of the calendar ids. */
export interface ProviderState {
  /** The position after the last change that the server has read, for each calendar. */
  tokens: Record<string, string>
  channels: Record<string, Channel>
}

/** What the server has read of one calendar. */
export interface ProviderReport {
  /** The digest of the calendar id, in hexadecimal form. */
  calendar: string
  /** `whole`: all events in the window. `changes`: the changed events. */
  scope: 'whole' | 'changes'
  times: ObjectTime[]
  /** The digests of events and repeating events whose former times end. Only for `changes`. */
  replaced: ReadonlySet<string>
  /** The digests of repeating events and events that the server cannot read. They keep their former times. */
  unreadable: ReadonlySet<string>
}

export type CalendarRead = Omit<ProviderReport, 'calendar'> & { token: string }

export interface ReadOptions {
  /** The time zone of the business. */
  zone: string
  window: Span
}

export const calendarKey = (id: string): string => hash('sha256', id)

/** Returns the digest of an event in a calendar. */
export const digestIn = (calendar: string, event: string): string => hash('sha256', `${calendar}\n${event}`)

/** Lists the times of events in the window. Each repetition of an event has its own id. */
export const timesOf = (calendar: string, events: readonly ProviderEvent[], window: Span): ObjectTime[] =>
  events.flatMap(({ id, series, uid, span }) =>
    !span || !(span[1] > span[0] && span[1] > window[0] && span[0] < window[1])
      ? []
      : [
          {
            event: Buffer.from(digestIn(calendar, id), 'hex'),
            collection: Buffer.from(calendarKey(calendar), 'hex'),
            object: Buffer.from(digestIn(calendar, series), 'hex'),
            from: span[0],
            to: span[1],
            ...ownUidOf(uid),
          },
        ],
  )

export const unreadableOf = (calendar: string, events: readonly ProviderEvent[]): Set<string> =>
  new Set(events.filter(({ span }) => span === undefined).map(({ series }) => digestIn(calendar, series)))
