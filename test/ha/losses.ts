import { setTimeout } from 'node:timers/promises'
import { processesOf, signal } from '../../scripts/ha/postgres-processes.ts'
import type { Node, SetUp } from '../../scripts/ha/set-up.ts'

/** What is lost of a set-up, and what brings it back. */
export interface Loss {
  name: string
  /** Whether nobody hears that the primary is gone: its lease has to end. */
  isSilent?: boolean
  /** What is lost before the primary is. */
  before?(setUp: SetUp, standbys: Node[]): Promise<void>
  /** Instead of PostgreSQL's end. */
  lose?(primary: Node): void
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

export const losses: Loss[] = [
  { name: 'PostgreSQL of the primary' },
  {
    name: 'a standby, then the primary',
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
]

export const loseBy = (loss: Loss, primary: Node): void => (loss.lose ?? crash)(primary)
