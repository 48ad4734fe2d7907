import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { type HostRole, type Hosts, hostsOf } from '../net/database-hosts.ts'
import { withTimeout } from '../util/with-timeout.ts'
import { Connection } from './connection.ts'
import { connectionOptions } from './connection-options.ts'
import { isDatabaseRunning, NoConnectionError, WrongHostRoleError } from './database-failures.ts'

/**
 * Three durations for the search for the database host, in milliseconds: the wait for a first search, the wait for a
 * later one, and the pause after a failure. A call must not wait longer than a second for a later search.
 */
const FIRST_SEARCH_WAIT_MS = 5_000
const SEARCH_WAIT_MS = 800
const FAILED_SEARCH_PAUSE_MS = 250

/**
 * How long a pooler without a database takes at most to refuse a new connection, in milliseconds. Until then, the
 * pooler seems to accept the connection.
 */
const REFUSAL_MS = 500

/**
 * Throws an error if the database host refuses a connection. A host that does not answer in time is perhaps only busy.
 */
const unlessRefused = (client: pg.Client): Promise<unknown> =>
  Promise.race([client.query('select'), setTimeout(REFUSAL_MS, undefined, { ref: false })])

/**
 * Finds the database host that has the required role, such as the primary. If the host is lost, one search tries all
 * hosts, and all callers wait for this search.
 */
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

  /**
   * Waits until the server has found the host with the right database role, such as the primary. Throws an error if the
   * server finds none, or if this takes too long.
   */
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
      // A database host that has no free connection slot refuses new connections. The connections that the pool already
      // has still work.
      this.#isLost = !isDatabaseRunning(error)
      // Without this pause, a caller that tries again at once after a failed search would cause one search after
      // another.
      await setTimeout(FAILED_SEARCH_PAUSE_MS)
      this.#search = undefined
      throw error
    }
  }
}

/** Connects to the database host that has the required role, such as the primary. */
export const openClient = async (text: string, options: pg.ClientConfig = {}): Promise<pg.Client> =>
  (await locateHost(hostsOf(text), options)).client

/** Tries all database hosts at the same time, and uses the first one that has the required role. */
async function locateHost(hosts: Hosts, options: pg.ClientConfig = {}): Promise<{ url: string; client: pg.Client }> {
  const tries = hosts.urls.map(async (url) => ({ url, client: await tryHost(url, hosts.role, options) }))
  const first = await Promise.any(tries).catch(({ errors }: AggregateError) => {
    throw errors.find(isDatabaseAnswer) ?? errors.find((error) => error.code !== 'ECONNREFUSED') ?? errors[0]
  })
  for (const one of tries)
    one.then(({ client }) => (client === first.client ? undefined : client.end())).catch(() => {})
  return first
}

/**
 * Whether the error comes from a database. If all hosts fail, `locateHost` reports such an error first, because it
 * explains the failure best. A timeout is the second choice, and a refused connection the third.
 */
const isDatabaseAnswer = (error: unknown) => error instanceof pg.DatabaseError || error instanceof WrongHostRoleError

/**
 * Always fails after some time. A new connection calls this function instead of the search for active processes, which
 * would open a second connection to a silent host. The server therefore gives up the host at once.
 */
const failProbe = () =>
  setTimeout(connectionOptions.connectionTimeoutMillis / 2).then(() => Promise.reject(new Error('silent')))

async function tryHost(url: string, demand: HostRole, options: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client({ ...connectionOptions, ...options, connectionString: url })
  client.on('error', () => {}) // The error is ignored here, because the statement in progress reports it.
  try {
    await client.connect()
    if (demand !== 'any')
      refuseWrongRole(demand, await Connection.configure(client, { findActiveProcesses: failProbe }))
    return client
  } catch (error) {
    void client.end().catch(() => {})
    throw error
  }
}

export function refuseWrongRole(demand: HostRole, { isWritable }: Connection): void {
  if (demand !== 'any' && isWritable !== (demand === 'read-write'))
    throw new WrongHostRoleError(isWritable ? 'This host is not a standby.' : 'This host accepts no changes.')
}
