import { setTimeout } from 'node:timers/promises'
import type pg from 'pg'
import type { Hosts } from '../net/database-hosts.ts'
import { inTime } from '../util/in-time.ts'
import { isThere, NotFound } from './failures.ts'
import { findHost } from './find-host.ts'

/**
 * Milliseconds that whoever asks waits for the first search, and for one of what is lost, of which they are to hear within a second;
 * and how long one in vain takes at least.
 */
const FIRST = 5_000
const PATIENCE = 800
const PAUSE = 250

/** Milliseconds in which a pooler lets us in and then refuses that has no database behind it. */
const REFUSED = 500

/** One that says nothing for so long may be busy. */
const unlessRefused = (client: pg.Client): Promise<unknown> =>
  Promise.race([client.query('select'), setTimeout(REFUSED, undefined, { ref: false })])

/** At which host the database is. Once it is lost it is looked for at all of them, by one search for all who ask meanwhile. */
export class Whereabouts {
  readonly hosts: Hosts
  /** Where connections are made. */
  url: string
  #isLost: boolean
  #search: Promise<void> | undefined
  #patience = FIRST

  constructor(hosts: Hosts) {
    this.hosts = hosts
    this.url = hosts.urls[0] ?? ''
    this.#isLost = hosts.urls.length > 1
    if (!this.#isLost) this.#patience = PATIENCE
  }

  get isKnown(): boolean {
    return !this.#isLost
  }

  lose(): void {
    this.#isLost = true
  }

  /** When it is known; throws when it is not found in time. */
  async known(): Promise<void> {
    if (!this.#isLost) return
    this.#search ??= this.#look()
    await inTime(this.#search, this.#patience, () => new NotFound('The database has not been found yet.'))
  }

  async #look(): Promise<void> {
    try {
      const { url, client } = await findHost(this.hosts)
      await unlessRefused(client).finally(() => void client.end().catch(() => {}))
      this.url = url
      this.#isLost = false
      this.#patience = PATIENCE
      this.#search = undefined
    } catch (error) {
      // Who has no room for one more may have kept connections that we have.
      this.#isLost = !isThere(error)
      // Whoever tries again at once is kept from doing nothing else.
      await setTimeout(PAUSE)
      this.#search = undefined
      throw error
    }
  }
}
