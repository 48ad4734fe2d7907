import { execFileSync } from 'node:child_process'
import { appendFileSync, chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { processesOf, signal } from '../../scripts/ha/postgres-processes.ts'
import { initialise, SUPERUSER, start } from '../../src/infra/db/embedded-postgres-cluster.ts'
import { findPrograms } from '../../src/infra/db/embedded-postgres-programs.ts'
import { freePort } from '../support/process.ts'

const PASSWORD = 'known-to-the-tests-alone'

/** One PostgreSQL of a cluster, which is the primary or follows it. */
export interface Node {
  name: string
  port: number
  data: string
}

/** A primary and its standbys, each a process of its own. A change is acknowledged once one of the standbys has it. */
export interface Cluster {
  nodes: Node[]
  primary: Node
  /** For a server: all of the hosts, of which it is to find the one that takes changes. */
  url: string
  /** Of one of them. */
  urlOf(node: Node): string
  /** Ends it as a power cut would: with all its processes, at once. */
  kill(node: Node): void
  /** Has that standby take over that has the most, as Patroni would. */
  promote(): Promise<void>
  /** What was killed starts again; where another has become the primary, with a copy of it. */
  join(node: Node): Promise<void>
  ask<R extends pg.QueryResultRow>(node: Node, text: string): Promise<R[]>
  stop(): void
}

export async function startCluster(): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'usp-ha-'))
  chmodSync(folder, 0o755)
  const home = join(folder, 'postgres')
  const { call, giveTo } = await findPrograms(home)
  const nodes: Node[] = []
  for (const name of ['one', 'two', 'three']) nodes.push({ name, port: await freePort(), data: join(home, name) })
  const [first] = nodes as [Node, ...Node[]]
  writeFileSync(join(home, 'password'), PASSWORD)
  giveTo(join(home, 'password'))
  await initialise(call, home, first.data)
  const hosts = nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')
  const urlAt = (at: string) => `postgres://${SUPERUSER}:${PASSWORD}@${at}/postgres`
  const urlOf = ({ port }: Node) => urlAt(`127.0.0.1:${port}`)
  const follow = { hosts: nodes.map(() => '127.0.0.1').join(), ports: nodes.map(({ port }) => port).join() }
  appendFileSync(join(first.data, 'postgresql.conf'), settings)

  const ask: Cluster['ask'] = async (node, text) => {
    const client = new pg.Client({ connectionString: urlOf(node), connectionTimeoutMillis: 5_000 })
    client.on('error', () => {})
    await client.connect()
    try {
      return (await client.query(text)).rows
    } finally {
      await client.end()
    }
  }
  const run = async (node: Node) => {
    // Follows whoever is the primary, also once that is another.
    const from = `user=${SUPERUSER} password=${PASSWORD} host=${follow.hosts} port=${follow.ports}`
    const conninfo = `${from} target_session_attrs=read-write application_name=${node.name} connect_timeout=2`
    appendFileSync(join(node.data, 'postgresql.auto.conf'), `primary_conninfo = '${conninfo}'\n`)
    await start(call, node.data, join(home, `${node.name}.log`), node.port)
  }
  const cluster: Cluster = {
    nodes,
    primary: first,
    url: `${urlAt(hosts)}?target_session_attrs=read-write`,
    urlOf,
    ask,
    kill: ({ data }) => killAll(data),
    async promote() {
      const alive = nodes.filter(isRunning)
      const received = await Promise.all(
        alive.map(async (node) => {
          const [row] = await ask<{ at: string }>(
            node,
            "select coalesce(pg_last_wal_receive_lsn(), '0/0') - '0/0' as at",
          )
          return { node, at: Number(row?.at) }
        }),
      )
      const { node } = received.reduce((most, one) => (one.at > most.at ? one : most))
      await ask(node, 'select pg_promote(true, 30)')
      cluster.primary = node
    },
    async join(node) {
      if (node !== cluster.primary) await copyOf(cluster, node, giveTo)
      await run(node)
    },
    stop() {
      for (const node of nodes) if (isRunning(node)) killAll(node.data)
      rmSync(folder, { recursive: true, force: true })
    },
  }
  await run(first)
  return cluster
}

/** Of a data folder that nothing waits for the disk for: nothing here outlives the machine. */
const settings = `
fsync = off
full_page_writes = off
wal_keep_size = 512MB
hot_standby = on
wal_retrieve_retry_interval = 200ms
wal_receiver_timeout = 2s
wal_sender_timeout = 2s
max_connections = 60
`

/** From now on a change waits for one of the standbys, whoever is the primary. */
export async function demandStandby({ nodes, ask }: Cluster): Promise<void> {
  const names = nodes.map(({ name }) => name).join(', ')
  for (const node of nodes.filter(isRunning)) {
    await ask(node, `alter system set synchronous_standby_names = 'ANY 1 (${names})'`)
    await ask(node, 'select pg_reload_conf()')
    // Who is new has what the postmaster has read, and by then it has told the others.
    const isRead = async () => (await ask(node, 'show synchronous_standby_names'))[0]?.synchronous_standby_names !== ''
    while (!(await isRead())) await setTimeout(20)
    // Commits go by what the checkpointer has read, which it does before each that it begins after another.
    for (const _ of ['begun before it was told', 'after']) await ask(node, 'checkpoint')
  }
}

/** What pg_basebackup does, which the binaries of npm lack. */
async function copyOf({ urlOf, primary }: Cluster, node: Node, giveTo: (path: string) => void) {
  rmSync(node.data, { recursive: true, force: true })
  mkdirSync(node.data, { mode: 0o700 })
  const client = new pg.Client(urlOf(primary))
  await client.connect()
  await client.query("select pg_backup_start('copy', true)")
  const left = ['./pg_wal/*', './postmaster.*', './pg_replslot/*', './pg_stat_tmp/*'].map((name) => `--exclude=${name}`)
  const read = ['-C', primary.data, '--warning=no-file-changed', '--ignore-failed-read', ...left, '-cf', '-', '.']
  // A file may be gone before it is read, which is as good as never having been there.
  execFileSync('sh', ['-c', `tar "$@" 2>/dev/null | tar -C '${node.data}' -xpf -`, 'sh', ...read])
  const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
  await client.end()
  for (const [name, text] of [
    ['backup_label', rows[0]?.labelfile ?? ''],
    ['standby.signal', ''],
  ] as const) {
    writeFileSync(join(node.data, name), text)
    giveTo(join(node.data, name))
  }
  giveTo(node.data)
}

export const isRunning = ({ data }: Node): boolean => processesOf(data).length > 0

function killAll(data: string) {
  signal(processesOf(data), 'SIGKILL')
  rmSync(join(data, 'postmaster.pid'), { force: true })
}

/** Waits until a standby has caught up far enough to count. */
export async function untilFollowed(cluster: Cluster, standbys: number): Promise<void> {
  for (;;) {
    const [row] = await cluster
      .ask<{ count: number }>(
        cluster.primary,
        "select count(*)::int from pg_stat_replication where state = 'streaming' and sync_state in ('sync', 'quorum')",
      )
      .catch(() => [])
    if ((row?.count ?? 0) >= standbys) return
    await setTimeout(100)
  }
}
