import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { type HostRole, type Hosts, hostsOf } from '../net/database-hosts.ts'
import { Connection } from './connection.ts'
import { connectionOptions } from './connection-options.ts'
import { WrongHostRoleError } from './failures.ts'

/** Connects to the host with the required role. */
export const openClient = async (text: string, options: pg.ClientConfig = {}): Promise<pg.Client> =>
  (await locateHost(hostsOf(text), options)).client

/** Tries all hosts at once, and uses the first one with the required role. */
export async function locateHost(
  hosts: Hosts,
  options: pg.ClientConfig = {},
): Promise<{ url: string; client: pg.Client }> {
  const tries = hosts.urls.map(async (url) => ({ url, client: await tryHost(url, hosts.role, options) }))
  const first = await Promise.any(tries).catch(({ errors }: AggregateError) => {
    throw errors.find(isDatabaseAnswer) ?? errors.find((error) => error.code !== 'ECONNREFUSED') ?? errors[0]
  })
  for (const one of tries)
    one.then(({ client }) => (client === first.client ? undefined : client.end())).catch(() => {})
  return first
}

/** The error of a database tells more than a timeout, and a timeout more than a refused connection. */
const isDatabaseAnswer = (error: unknown) => error instanceof pg.DatabaseError || error instanceof WrongHostRoleError

/** Always fails instead of probing, so an unresponsive host is abandoned without a second connection. */
const failProbe = () =>
  setTimeout(connectionOptions.connectionTimeoutMillis / 2).then(() => Promise.reject(new Error('silent')))

async function tryHost(url: string, demand: HostRole, options: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client({ ...connectionOptions, ...options, connectionString: url })
  client.on('error', () => {}) // The pending statement reports the error.
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
