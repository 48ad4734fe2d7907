import { setTimeout } from 'node:timers/promises'
import type pg from 'pg'
import type { Hosts } from '../net/database-hosts.ts'
import { inTime } from '../util/in-time.ts'
import { isThere, NotFound } from './failures.ts'
import { findHost } from './find-host.ts'

/**
 * Milliseconds that callers wait for the first search, and for a later one, which must fail within a second. The third is
 * the pause after a failed search.
 */
const FIRST = 5_000
const PATIENCE = 800
const PAUSE = 250

/** A pooler without a database accepts a connection, and refuses it within these milliseconds. */
const REFUSED = 500

/** A host without an answer in this time may be busy. */
const unlessRefused = (client: pg.Client): Promise<unknown> =>
  Promise.race([client.query('select'), setTimeout(REFUSED, undefined, { ref: false })])

/** Locates the host of the database. When the host is lost, one search tries all hosts for all callers. */
export class Whereabouts {
  readonly hosts: Hosts
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

  /** Resolves when the host is known; throws when the search fails or takes too long. */
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
      // A host that refuses because it is full may still serve the connections that we have.
      this.#isLost = !isThere(error)
      // Slows down callers that retry at once.
      await setTimeout(PAUSE)
      this.#search = undefined
      throw error
    }
  }
}
