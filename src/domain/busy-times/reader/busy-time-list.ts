import { hash } from 'node:crypto'
import type { Event } from './calendar-event.ts'
import { OWN_PROPERTY, propertyOf } from './calendar-lines.ts'

export type Span = readonly [from: number, to: number]

/** A time in which an event blocks its calendar. */
export interface BusyTime {
  /** SHA-256 of the identity of the event: its UID, and which of its repetitions it is. */
  event: Uint8Array
  from: number
  to: number
  /** The id of the booking, class session or block in the event, if it has the form of an event of this server. */
  ownUid?: string
}

/**
 * The form of the UIDs of this server: the ids of bookings, class sessions and blocks. In an event that the server writes
 * into another calendar, a digest of the person or room follows.
 */
const OWN_UID = /^((?:bkg|ses|blk)_[\w-]{16})(?:\.[0-9a-f]{16})?$/

/** Returns the id of the booking, session or block that the UID or the property of an event contains. */
export function ownUidOf(uid: string, property = ''): { ownUid?: string } {
  const [, ownUid] = OWN_UID.exec(uid) ?? OWN_UID.exec(property.trim()) ?? []
  return ownUid === undefined ? {} : { ownUid }
}

/** Collects busy times. Times that do not overlap the window, and empty times, are left out. */
export class BusyTimeList {
  readonly #window: Span
  readonly #times = new Map<string, BusyTime>()

  constructor(window: Span) {
    this.#window = window
  }

  get size(): number {
    return this.#times.size
  }

  /** `repetition` is the original start of the repetition. Undefined for an event that does not repeat. */
  add({ uid, component }: Event, repetition: number | undefined, from: number, to: number): void {
    if (!(to > from && to > this.#window[0] && from < this.#window[1])) return
    const identity = uid === '' ? `${from} ${to}` : `${uid}\n${repetition ?? ''}`
    // If a calendar contains two events with one identity, both block their time.
    for (const name of [identity, `${identity}\n${from} ${to}`]) {
      const known = this.#times.get(name)
      if (!known) {
        const event = hash('sha256', name, 'buffer')
        this.#times.set(name, { event, from, to, ...ownUidOf(uid, propertyOf(component, OWN_PROPERTY)?.value) })
        return
      }
      if (known.from === from && known.to === to) return
    }
  }

  list(): BusyTime[] {
    return [...this.#times.values()]
  }
}
