import { hash } from 'node:crypto'
import type { Event } from './calendar-event.ts'

export type Span = readonly [from: number, to: number]

/** A time in which an event blocks its calendar. */
export interface BusyTime {
  /** SHA-256 of the identity of the event: its UID, and which of its repetitions it is. */
  event: Uint8Array
  from: number
  to: number
  /** The UID of the event, if it has the form of a UID that this server writes. */
  ownUid?: string
}

/** Returns a UID if it has the form of a UID in calendar files of this server: the id of a booking, session or block. */
export const ownUidOf = (uid: string): { ownUid?: string } =>
  /^(bkg|ses|blk)_[\w-]{16}$/.test(uid) ? { ownUid: uid } : {}

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
  add({ uid }: Event, repetition: number | undefined, from: number, to: number): void {
    if (!(to > from && to > this.#window[0] && from < this.#window[1])) return
    const identity = uid === '' ? `${from} ${to}` : `${uid}\n${repetition ?? ''}`
    // If a calendar contains two events with one identity, both block their time.
    for (const name of [identity, `${identity}\n${from} ${to}`]) {
      const known = this.#times.get(name)
      if (!known) {
        const event = hash('sha256', name, 'buffer')
        this.#times.set(name, { event, from, to, ...ownUidOf(uid) })
        return
      }
      if (known.from === from && known.to === to) return
    }
  }

  list(): BusyTime[] {
    return [...this.#times.values()]
  }
}
