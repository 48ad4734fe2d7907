import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseEnv } from 'node:util'
import manifest from '../../package.json' with { type: 'json' }
import type { Machine } from './network-border.ts'
import { newestPostgres } from './newest-postgres.ts'
import { type Command, Program } from './program.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** The command of `npm start`. It works in any working directory, and uses the current version of Node. */
const startCommand = manifest.scripts.start
  .replace('exec node', `exec '${process.execPath}'`)
  .replace('src/main.ts', `'${join(root, 'src/main.ts')}'`)
export const NODES = ['one', 'two', 'three']

/** Returns the folder for the data of a node. Tests can mount a small disk there. */
export const diskOf = (folder: string, name: string) => join(folder, 'postgres', name)
export const dataOf = (folder: string, name: string) => join(diskOf(folder, name), 'data')

export interface Layout {
  folder: string
  password: string
  etcd: number[]
  etcdPeers: number[]
  postgres: number[]
  patroni: number[]
  haproxy: number
  pgbouncer: number
  servers: number[]
  balancer: number
  caddy: number
}

/**
 * Returns the simulated machine of a node: its PostgreSQL and Patroni run in a user group that no other program uses.
 */
export function machineAt({ postgres, patroni }: Layout, index: number): Machine {
  const ports = [postgres, patroni].map((all) => Number(all[index]))
  return { group: 100_000 + Math.max(...ports), ports }
}

const at = (port: number | undefined) => `127.0.0.1:${port}`

const programIn = (folder: string) => (name: string, command: Command) =>
  new Program(name, join(folder, 'log', `${name}.log`), command)

/** Creates the programs with the environment variables that the configuration files of deploy/ha need. */
export function programsOf(places: Layout, businessFile: string) {
  const { folder, password } = places
  const etc = (name: string) => join(folder, 'etc', name)
  const part = programIn(folder)
  const urls = {
    pooled: `postgres://usp:${password}@${at(places.pgbouncer)}/usp`,
    direct: `postgres://usp:${password}@${places.postgres.map(at).join()}/usp?target_session_attrs=read-write`,
    admin: `postgres://postgres:${password}@${places.postgres.map(at).join()}/postgres?target_session_attrs=read-write`,
  }

  const etcd = {
    ...parseEnv(readFileSync(etc('etcd.env'), 'utf8')),
    ETCD_INITIAL_CLUSTER: NODES.map((name, index) => `${name}=http://${at(places.etcdPeers[index])}`).join(),
  }
  const etcds = NODES.map((name, index) => {
    const [clientUrl, peerUrl] = [`http://${at(places.etcd[index])}`, `http://${at(places.etcdPeers[index])}`]
    const env = {
      ...etcd,
      ETCD_NAME: name,
      ETCD_DATA_DIR: join(folder, 'etcd', name),
      ETCD_LISTEN_CLIENT_URLS: clientUrl,
      ETCD_ADVERTISE_CLIENT_URLS: clientUrl,
      ETCD_LISTEN_PEER_URLS: peerUrl,
      ETCD_INITIAL_ADVERTISE_PEER_URLS: peerUrl,
    }
    return part(`etcd-${name}`, { program: 'etcd', args: [], env, isUnprivileged: true })
  })

  const patronis = NODES.map((name, index) => {
    const [postgres, says] = [at(places.postgres[index]), at(places.patroni[index])]
    const env = {
      PATRONI_NAME: name,
      PATRONI_POSTGRESQL_DATA_DIR: dataOf(folder, name),
      PATRONI_POSTGRESQL_BIN_DIR: newestPostgres(),
      PATRONI_POSTGRESQL_LISTEN: postgres,
      PATRONI_POSTGRESQL_CONNECT_ADDRESS: postgres,
      PATRONI_RESTAPI_LISTEN: says,
      PATRONI_RESTAPI_CONNECT_ADDRESS: says,
      PATRONI_ETCD_HOSTS: places.etcd.map(at).join(),
      PATRONI_SUPERUSER_PASSWORD: password,
      PATRONI_REPLICATION_PASSWORD: password,
      USP_PASSWORD: password,
      // Patroni writes a password file for its connections into this folder.
      HOME: join(folder, 'postgres'),
      PATRONI_POSTGRESQL_PGPASS: join(folder, 'postgres', `${name}.pgpass`),
    }
    const { group } = machineAt(places, index)
    return part(name, { program: 'patroni', args: [etc('patroni.yml')], env, isUnprivileged: true, group })
  })

  const [ONE, TWO, THREE] = places.postgres.map(at)
  const [PATRONI_ONE, PATRONI_TWO, PATRONI_THREE] = places.patroni.map(String)
  const leads = { ONE, TWO, THREE, PATRONI_ONE, PATRONI_TWO, PATRONI_THREE, PRIMARY_LISTEN: at(places.haproxy) }
  const haproxy = part('haproxy', { program: 'haproxy', args: ['-db', '-f', etc('haproxy.cfg')], env: leads })
  const pgbouncer = part('pgbouncer', {
    program: 'pgbouncer',
    args: [etc('pgbouncer.ini')],
    env: {},
    isUnprivileged: true,
  })

  const env = {
    DATABASE_URL: urls.pooled,
    DATABASE_DIRECT_URL: urls.direct,
    USP_SECRET_KEY: `${password}, and by both servers`,
    USP_DATA_DIR: join(folder, 'server'),
    USP_BUSINESS_FILE: businessFile,
    BASE_URL: `http://${at(places.caddy)}`,
    TRUST_PROXY: '127.0.0.1',
  }
  return { etcds, patronis, haproxy, pgbouncer, ...frontPrograms(places, env), urls, env }
}

/** Creates the servers with these settings, and the two programs in front of them: the balancer and Caddy. */
export function frontPrograms(
  { folder, servers, balancer, caddy }: Pick<Layout, 'folder' | 'servers' | 'balancer' | 'caddy'>,
  env: NodeJS.ProcessEnv,
) {
  const part = programIn(folder)
  const etc = (name: string) => join(folder, 'etc', name)
  const [SERVER_ONE, SERVER_TWO] = servers.map(at)
  const home = join(folder, 'caddy')
  return {
    servers: servers.map((port, index) =>
      part(`server-${index + 1}`, {
        program: 'sh',
        args: ['-c', startCommand],
        env: { USP_DRAIN_SECONDS: '3', ...env, PORT: String(port) },
      }),
    ),
    balancer: part('balancer', {
      program: 'haproxy',
      args: ['-db', '-f', etc('balancer.cfg')],
      env: { BALANCER_LISTEN: at(balancer), SERVER_ONE, SERVER_TWO },
    }),
    caddy: part('caddy', {
      program: 'caddy',
      args: ['run', '--adapter', 'caddyfile', '--config', etc('Caddyfile')],
      env: {
        SITE: `http://${at(caddy)}`,
        BALANCER: at(balancer),
        CADDY_ADMIN: 'off',
        HOME: home,
        XDG_DATA_HOME: home,
        XDG_CONFIG_HOME: home,
      },
      isUnprivileged: true,
    }),
  }
}
