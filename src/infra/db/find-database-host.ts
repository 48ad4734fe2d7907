import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { type HostRole, type Hosts, hostsOf } from '../net/parse-database-url.ts'
import { withTimeout } from '../util/with-timeout.ts'
import { Connection } from './connection.ts'
import { connectionOptions } from './connection-options.ts'
import { isDatabaseRunning, NoConnectionError, WrongHostRoleError } from './database-failures.ts'

/**
 * Milliseconds to wait for the first search for the database host, to wait for a later search, and to pause after a
 * failed search. A call must not wait longer than a second for a later search.
 */
const FIRST_SEARCH_WAIT_MS = 5_000
const SEARCH_WAIT_MS = 800
const FAILED_SEARCH_PAUSE_MS = 250

/**
 * Maximum time of a delayed refusal, in milliseconds. A connection pooler without a database first accepts a
 * connection, and refuses it within this time.
 */
const REFUSAL_MS = 500

/**
 * Throws an error if the database host refuses the connection. A host that does not answer in time causes no error,
 * because it is perhaps only busy.
 */
const unlessRefused = (client: pg.Client): Promise<unknown> =>
  Promise.race([client.query('select'), setTimeout(REFUSAL_MS, undefined, { ref: false })])

/**
 * Finds the database host with the required role, such as the primary. If the host becomes unavailable, one search
 * tries all configured hosts, and all callers wait for this search.
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
   * Waits until the server has found the host with the required role, such as the primary. Throws an error if the
   * search fails or takes too long.
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
      // A running database host can refuse a new connection, for example because too many are open. The open
      // connections of the pool still work, so the host does not count as lost.
      this.#isLost = !isDatabaseRunning(error)
      // Callers can retry immediately after a failed search. Without this pause, they would start one search after
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

/** Tries all database hosts at the same time, and uses the first host that answers with the required role. */
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
 * Whether the error is an answer of a database. If all hosts fail, the server reports only one error: preferably an
 * answer of a database, then a timeout, then a refused connection.
 */
const isDatabaseAnswer = (error: unknown) => error instanceof pg.DatabaseError || error instanceof WrongHostRoleError

/**
 * A check that always fails after a short time. A new connection uses this check instead of the usual check, which
 * would open a second connection to the same silent host. After the failure, the server gives up the host.
 */
const failProbe = () =>
  setTimeout(connectionOptions.connectionTimeoutMillis / 2).then(() => Promise.reject(new Error('silent')))

async function tryHost(url: string, demand: HostRole, options: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client({ ...connectionOptions, ...options, connectionString: url })
  client.on('error', () => {}) // The statement in progress reports this error, so no action is needed here.
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
