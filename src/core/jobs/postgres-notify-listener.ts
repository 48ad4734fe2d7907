import type pg from 'pg'
import { Connection } from '../../infra/db/connection.ts'
import { openClient } from '../../infra/db/find-database-host.ts'

const RECONNECT_MS = 1_000
export const LISTENER_APPLICATION_NAME = 'usp-server listener'

/**
 * Listens for PostgreSQL notifications (NOTIFY) on one connection, and reconnects after a lost connection. If a
 * notification is lost, a regular search finds the new work at most two seconds later. With a transaction pooler, the
 * class does not listen, because the pooler can give the connection to another client.
 */
export class Announcements {
  readonly #url: string
  readonly #listeners = new Map<string, Set<() => void>>()
  readonly #first: Promise<void>
  #begun = Promise.resolve()
  #client: pg.Client | undefined
  #isClosed = false

  constructor(url: string, onPooler: () => void = () => {}) {
    this.#url = url
    this.#first = this.#connect(onPooler)
  }

  /**
   * Calls the listener after each notification of the channel. The class also calls the listener each time it starts to
   * listen, because earlier notifications can be lost. Returns a function that removes the listener.
   */
  listen(channel: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(channel) ?? new Set()
    this.#listeners.set(channel, listeners.add(listener))
    if (this.#client) void this.#begin(this.#client, [channel])
    return () => void listeners.delete(listener)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#first
    await this.#client?.end().catch(() => {})
  }

  async #connect(onPooler: () => void): Promise<void> {
    if (this.#isClosed) return
    const reconnect = () => setTimeout(() => this.#connect(onPooler), RECONNECT_MS).unref()
    const client = await openClient(this.#url, { application_name: LISTENER_APPLICATION_NAME }).catch(() => undefined)
    if (!client) return void reconnect()
    client.on('notification', ({ channel }) => this.#call(channel))
    // The class reconnects only after the event `end`. If other events also caused a new connection, the server could
    // have two connections at the same time.
    client.on('end', () => {
      this.#client = undefined
      reconnect()
    })
    await this.#configure(client, onPooler).catch(() => void client.end().catch(() => {}))
  }

  async #configure(client: pg.Client, onPooler: () => void): Promise<void> {
    const { isDirect } = await Connection.configure(client)
    if (!isDirect && !this.#isClosed) onPooler()
    this.#isClosed ||= !isDirect
    if (this.#isClosed) return client.end()
    this.#client = client
    await this.#begin(client, [...this.#listeners.keys()])
  }

  /**
   * Sends the SQL statements `LISTEN` one after the other. If a statement fails, the class repeats it on the next
   * connection.
   */
  #begin(client: pg.Client, channels: string[]): Promise<void> {
    this.#begun = this.#begun.then(async () => {
      await client.query(channels.map((channel) => `listen ${channel}`).join(';')).catch(() => void client.end())
      for (const channel of channels) this.#call(channel)
    })
    return this.#begun
  }

  #call(channel: string): void {
    for (const listener of this.#listeners.get(channel) ?? []) listener()
  }
}
