import { setTimeout } from 'node:timers/promises'
import type pg from 'pg'
import type { Hosts } from '../net/database-hosts.ts'
import { withTimeout } from '../util/with-timeout.ts'
import { isDatabaseRunning, NoConnectionError } from './failures.ts'
import { locateHost } from './locate-host.ts'

/**
 * Milliseconds that callers wait for the first search, and for a later one, which must fail within a second. The third is
 * the pause after a failed search.
 */
const FIRST_SEARCH_WAIT_MS = 5_000
const SEARCH_WAIT_MS = 800
const FAILED_SEARCH_PAUSE_MS = 250

/** A pooler without a database accepts a connection, and refuses it within these milliseconds. */
const REFUSAL_MS = 500

/** A host without an answer in this time may be busy. */
const unlessRefused = (client: pg.Client): Promise<unknown> =>
  Promise.race([client.query('select'), setTimeout(REFUSAL_MS, undefined, { ref: false })])

/** Locates the host of the database. When the host is lost, one search tries all hosts for all callers. */
export class HostLocator {
  readonly hosts: Hosts
  url: string
  #isLost: boolean
  #search: Promise<void> | undefined
  #patience = FIRST_SEARCH_WAIT_MS

  constructor(hosts: Hosts) {
    this.hosts = hosts
    this.url = hosts.urls[0] ?? ''
    this.#isLost = hosts.urls.length > 1
    if (!this.#isLost) this.#patience = SEARCH_WAIT_MS
  }

  get isKnown(): boolean {
    return !this.#isLost
  }

  markLost(): void {
    this.#isLost = true
  }

  /** Resolves when the host is known; throws when the search fails or takes too long. */
  async waitUntilKnown(): Promise<void> {
    if (!this.#isLost) return
    this.#search ??= this.#look()
    await withTimeout(this.#search, this.#patience, () => new NoConnectionError('The database has not been found yet.'))
  }

  async #look(): Promise<void> {
    try {
      const { url, client } = await locateHost(this.hosts)
      await unlessRefused(client).finally(() => void client.end().catch(() => {}))
      this.url = url
      this.#isLost = false
      this.#patience = SEARCH_WAIT_MS
      this.#search = undefined
    } catch (error) {
      // A host that refuses because it is full may still serve the connections that we have.
      this.#isLost = !isDatabaseRunning(error)
      // Slows down callers that retry at once.
      await setTimeout(FAILED_SEARCH_PAUSE_MS)
      this.#search = undefined
      throw error
    }
  }
}
