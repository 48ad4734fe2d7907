import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { type Demand, type Hosts, hostsOf } from '../net/database-hosts.ts'
import { Connection } from './connection.ts'
import { connectionOptions } from './connection-options.ts'
import { OtherHost } from './failures.ts'

/** Connects to the host with the required role. */
export const openClient = async (text: string, options: pg.ClientConfig = {}): Promise<pg.Client> =>
  (await findHost(hostsOf(text), options)).client

/** Tries all hosts at once, and uses the first one with the required role. */
export async function findHost(
  hosts: Hosts,
  options: pg.ClientConfig = {},
): Promise<{ url: string; client: pg.Client }> {
  const tries = hosts.urls.map(async (url) => ({ url, client: await tryHost(url, hosts.demand, options) }))
  const first = await Promise.any(tries).catch(({ errors }: AggregateError) => {
    throw errors.find(isOfDatabase) ?? errors.find((error) => error.code !== 'ECONNREFUSED') ?? errors[0]
  })
  for (const one of tries)
    one.then(({ client }) => (client === first.client ? undefined : client.end())).catch(() => {})
  return first
}

/** The error of a database tells more than a timeout, and a timeout more than a refused connection. */
const isOfDatabase = (error: unknown) => error instanceof pg.DatabaseError || error instanceof OtherHost

/** Always fails instead of probing, so an unresponsive host is abandoned without a second connection. */
const nobody = () =>
  setTimeout(connectionOptions.connectionTimeoutMillis / 2).then(() => Promise.reject(new Error('silent')))

async function tryHost(url: string, demand: Demand, options: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client({ ...connectionOptions, ...options, connectionString: url })
  client.on('error', () => {}) // The pending statement reports the error.
  try {
    await client.connect()
    if (demand !== 'any') refuseOther(demand, await Connection.over(client, { askWhoWorks: nobody }))
    return client
  } catch (error) {
    void client.end().catch(() => {})
    throw error
  }
}

export function refuseOther(demand: Demand, { takesChanges }: Connection): void {
  if (demand !== 'any' && takesChanges !== (demand === 'read-write'))
    throw new OtherHost(takesChanges ? 'This host is no standby.' : 'This host takes no changes.')
}
