import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fillIn } from './fill-in.ts'
import { type Border, border } from './network-border.ts'
import { processesOf, signal } from './postgres-processes.ts'
import { isHealthy, owner, type Program } from './program.ts'
import { dataOf, diskOf, type Layout, machineAt, NODES, programsOf } from './programs.ts'
import { type SmallDisk, smallDisk } from './small-disk.ts'

export interface Node {
  name: string
  patroni: Program
  /** The address of Patroni's REST API. */
  says: string
  /** The connection string of the PostgreSQL superuser on this node. */
  url: string
  data: string
  /**
   * A small disk for the data. Undefined if the caller does not ask for small disks, or the machine does not allow
   * them.
   */
  disk: SmallDisk | undefined
  /**
   * Network borders to all other machines, or only to the other nodes and etcd. Undefined in the same cases as `disk`.
   */
  borders: { toAll: Border; toNodes: Border } | undefined
}

/** The high-availability set-up of deploy/ha, with all programs on this machine. */
export interface SetUp {
  folder: string
  nodes: Node[]
  servers: Program[]
  haproxy: Program
  pgbouncer: Program
  balancer: Program
  /** The addresses of the servers. `front` is the address of Caddy, the web server in front of them. */
  origins: string[]
  front: string
  databaseUrl: string
  directUrl: string
  /** The connection string of the PostgreSQL superuser on the current primary. */
  adminUrl: string
  etcd: string
  env: NodeJS.ProcessEnv
  startServer(index: number): Promise<void>
  /** Starts all programs, and waits until they are ready. */
  start(): Promise<void>
  /** Starts the programs that have ended, as systemd would do. Returns their names. */
  startEnded(): string[]
  /** Ends all programs and deletes their data. */
  stop(): Promise<void>
}

export async function makeSetUp(
  nextPort: () => Promise<number>,
  businessFile: string,
  { diskMegabytes, hasBorders = false }: { diskMegabytes?: number; hasBorders?: boolean } = {},
): Promise<SetUp> {
  const folder = mkdtempSync(join(tmpdir(), 'usp-ha-'))
  chmodSync(folder, 0o755)
  for (const name of ['etc', 'log', 'etcd', 'postgres', 'server', 'caddy']) mkdirSync(join(folder, name))
  if (owner.uid !== undefined)
    for (const name of ['etcd', 'postgres', 'caddy']) chownSync(join(folder, name), owner.uid, owner.gid)
  const disks = NODES.map((name) => {
    const disk = diskOf(folder, name)
    mkdirSync(disk)
    if (owner.uid !== undefined) chownSync(disk, owner.uid, owner.gid)
    return diskMegabytes === undefined ? undefined : smallDisk(disk, diskMegabytes, owner)
  })
  const places = await choosePlaces(nextPort, folder)
  fillIn(places)
  const { etcds, patronis, haproxy, pgbouncer, servers, balancer, caddy, urls, env } = programsOf(places, businessFile)
  const nodes = patronis.map((patroni, index): Node => {
    const { name } = patroni
    const [port, says] = [places.postgres[index], `http://127.0.0.1:${places.patroni[index]}`]
    return {
      name,
      patroni,
      says,
      url: `postgres://postgres:${places.password}@127.0.0.1:${port}/postgres`,
      data: dataOf(folder, name),
      disk: disks[index],
      borders: hasBorders ? bordersAt(places, index) : undefined,
    }
  })
  const origins = places.servers.map((port) => `http://127.0.0.1:${port}`)
  const setUp: SetUp = {
    folder,
    nodes,
    servers,
    haproxy,
    pgbouncer,
    balancer,
    origins,
    env,
    front: `http://127.0.0.1:${places.caddy}`,
    databaseUrl: urls.pooled,
    directUrl: urls.direct,
    adminUrl: urls.admin,
    etcd: places.etcd.map((port) => `127.0.0.1:${port}`).join(),
    async startServer(index) {
      servers[index]?.start()
      await servers[index]?.waitUntilReady(`${origins[index]}/readyz`)
    },
    async start() {
      for (const part of [...etcds, ...patronis, haproxy, pgbouncer]) part.start()
      await untilReplicated(nodes)
      await Promise.all([...servers.keys()].map(setUp.startServer))
      balancer.start()
      await balancer.waitUntilReady(`http://127.0.0.1:${places.balancer}/healthz`)
      caddy.start()
      await caddy.waitUntilReady(`${setUp.front}/.well-known/usp`)
    },
    startEnded() {
      const ended = [...etcds, ...patronis, haproxy, pgbouncer, ...servers, balancer, caddy].filter(
        (part) => !part.isRunning,
      )
      for (const part of ended) part.start()
      return ended.map(({ name }) => name)
    },
    async stop() {
      await Promise.all([caddy, balancer, ...servers].map((part) => part.end()))
      // Patroni would restart PostgreSQL, so Patroni ends first.
      await Promise.all([pgbouncer, haproxy, ...patronis, ...etcds].map((part) => part.end('SIGKILL')))
      for (const { data } of nodes) signal(processesOf(data), 'SIGCONT')
      for (const { data } of nodes) signal(processesOf(data).slice(0, 1), 'SIGQUIT')
      while (nodes.some(({ data }) => processesOf(data).length > 0)) await setTimeout(50)
      for (const disk of disks) disk?.remove()
      for (const { borders } of nodes) for (const border of Object.values(borders ?? {})) border.remove()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  return setUp
}

function bordersAt(places: Layout, index: number): Node['borders'] {
  const otherMachines = [...NODES.keys()].filter((other) => other !== index).map((other) => machineAt(places, other))
  const machine = machineAt(places, index)
  const toAll = border(machine)
  const toNodes = border(machine, {
    groups: otherMachines.map(({ group }) => group),
    ports: [...otherMachines.flatMap(({ ports }) => ports), ...places.etcd],
  })
  return toAll && toNodes && { toAll, toNodes }
}

/** Waits until there is a primary and a synchronous standby, and all other standbys have caught up. */
export async function untilReplicated(nodes: readonly Node[]): Promise<void> {
  for (;;) {
    const all = (what: string) => Promise.all(nodes.map(({ says }) => isHealthy(`${says}/${what}`)))
    const [primaries, waitedFor, standbys] = await Promise.all([all('primary'), all('sync'), all('replica?lag=1MB')])
    const count = (answers: boolean[]) => answers.filter(Boolean).length
    if (count(primaries) === 1 && count(waitedFor) === 1 && count(standbys) === nodes.length - 1) return
    for (const { patroni } of nodes) patroni.requireRunning()
    await setTimeout(300)
  }
}

async function choosePlaces(nextPort: () => Promise<number>, folder: string): Promise<Layout> {
  const three = async () => [await nextPort(), await nextPort(), await nextPort()]
  return {
    folder,
    password: 'known-on-this-machine-alone',
    etcd: await three(),
    etcdPeers: await three(),
    postgres: await three(),
    patroni: await three(),
    haproxy: await nextPort(),
    pgbouncer: await nextPort(),
    servers: [await nextPort(), await nextPort()],
    balancer: await nextPort(),
    caddy: await nextPort(),
  }
}
