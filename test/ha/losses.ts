import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { processesOf, signal } from '../../scripts/ha/postgres-processes.ts'
import type { Node, SetUp } from '../../scripts/ha/set-up.ts'

/** What is lost of a set-up, and what brings it back. */
export interface Loss {
  name: string
  /** Whether nobody hears that the primary is gone: its lease has to end. */
  isSilent?: boolean
  /** Whether servers still reach a primary that works, and waits for a standby that it has no more. */
  livesOn?: boolean
  /** Whether the next primary has no standby until the one that was lost has become one. */
  takesLastStandby?: boolean
  /** What is lost before the primary is. */
  before?(setUp: SetUp, standbys: Node[]): Promise<void>
  /** Whether it takes disks that can be filled. */
  needsDisks?: boolean
  /** Whether it takes networks that can be cut. */
  needsBorders?: boolean
  /** Instead of PostgreSQL's end. */
  lose?(primary: Node, standbys: Node[]): void
  /** Where another need not take over: resolves when what was lost is there again. */
  untilOver?(setUp: SetUp, primary: Node, standbys: Node[]): Promise<void>
  after?(setUp: SetUp, lost: Node, standbys: Node[]): Promise<void>
}

const crash = ({ data }: Node) => signal(processesOf(data), 'SIGKILL')

function switchOff(node: Node) {
  void node.patroni.end('SIGKILL')
  crash(node)
}

async function switchOn({ patroni }: Node) {
  await patroni.end('SIGKILL')
  patroni.start()
}

const send = (node: Node, name: NodeJS.Signals) => signal([Number(node.patroni.pid), ...processesOf(node.data)], name)

/** As systemd would, time and again where its database is lost meanwhile. */
async function restartServer(setUp: SetUp, index: number): Promise<void> {
  await setUp.servers[index]?.end('SIGKILL')
  while (!setUp.servers[index]?.isRunning) await setUp.startServer(index).catch(() => setTimeout(500))
}

/** Milliseconds for which there is no room, once both servers say that they cannot serve: for so long that leases end meanwhile. */
const FULL = 20_000

/** Whatever is freed is taken at once, as by others on such a disk. */
async function stayFull({ origins }: SetUp, nodes: Node[], meanwhile?: () => Promise<void>): Promise<void> {
  const said = new Map<string, string>()
  let knownAt = Number.POSITIVE_INFINITY
  while (performance.now() < knownAt + FULL) {
    for (const { disk } of nodes) disk?.fill()
    for (const origin of origins) {
      const answer = await fetch(`${origin}/readyz`)
      if (answer.status === 503) said.set(origin, (await answer.json()).detail)
    }
    if (said.size === origins.length) knownAt = Math.min(knownAt, performance.now())
    await meanwhile?.()
    await setTimeout(100)
  }
  console.log([...said.values()].join('\n'))
  for (const { disk } of nodes) disk?.makeRoom()
}

/** What is written next goes to a new file of its log; without room for that PostgreSQL ends. */
async function beginLogFile({ url }: Node): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000, query_timeout: 1_000 })
  client.on('error', () => {})
  await client
    .connect()
    .then(() => client.query('select pg_switch_wal()'))
    .catch(() => {}) // It has ended, or is a standby by now.
  void client.end().catch(() => {})
}

export const losses: Loss[] = [
  { name: 'PostgreSQL of the primary' },
  {
    name: 'a standby, then the primary',
    takesLastStandby: true,
    before: async (_, [standby]) => standby && switchOff(standby),
    after: async (_, __, [standby]) => standby && switchOn(standby),
  },
  {
    name: 'a server and the primary',
    before: async ({ servers }) => void servers[1]?.end('SIGKILL'),
    after: (setUp) => restartServer(setUp, 1),
  },
  { name: 'the machine of the primary', isSilent: true, lose: switchOff, after: (_, lost) => switchOn(lost) },
  {
    name: 'the primary while PgBouncer restarts',
    async before({ pgbouncer }) {
      await pgbouncer.end('SIGKILL')
      pgbouncer.start()
    },
  },
  {
    name: 'both standbys, then the primary',
    async before(_, standbys) {
      standbys.forEach(switchOff)
      // Nothing is acknowledged now: what is written one machine alone has.
      await setTimeout(2_000)
      await Promise.all(standbys.map(switchOn))
    },
  },
  {
    name: 'the primary, which is cut off and comes back',
    isSilent: true,
    lose: (primary) => send(primary, 'SIGSTOP'),
    after: async (_, lost) => send(lost, 'SIGCONT'),
  },
  {
    name: 'the network of the primary, which lives on',
    isSilent: true,
    needsBorders: true,
    lose: ({ borders }) => borders?.toAll.cut(),
    after: async (_, { borders }) => borders?.toAll.mend(),
  },
  {
    name: 'the network between the primary and the other nodes, while servers reach it',
    isSilent: true,
    livesOn: true,
    needsBorders: true,
    lose: ({ borders }) => borders?.toNodes.cut(),
    after: async (_, { borders }) => borders?.toNodes.mend(),
  },
  {
    name: 'the room for the log of the primary, which ends',
    needsDisks: true,
    lose: (primary) => primary.disk?.fill(),
    untilOver: (setUp, primary) => stayFull(setUp, [primary], () => beginLogFile(primary)),
  },
  {
    name: 'the room on all three disks',
    needsDisks: true,
    lose(primary, standbys) {
      for (const { disk } of [primary, ...standbys]) disk?.fill()
    },
    untilOver: (setUp, primary, standbys) => stayFull(setUp, [primary, ...standbys]),
  },
]

export const loseBy = (loss: Loss, primary: Node, standbys: Node[]): void => (loss.lose ?? crash)(primary, standbys)
