import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pass } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import manifest from '../../package.json' with { type: 'json' }
import { onEndSignal } from '../../src/cli/shutdown-signals.ts'
import { startEmbeddedPostgres } from '../../src/infra/db/embedded-postgres.ts'
import { freePort, ROLE } from '../../src/infra/db/embedded-postgres-cluster.ts'
import { migrate } from '../../src/infra/db/run-migrations.ts'
import type { BusinessDefinition } from '../../src/protocol/types.generated.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A temporary PostgreSQL, with the databases and servers of a benchmark. */
export interface Stage {
  /** Starts a server on a new database with this business definition. */
  serve(name: string, definition: BusinessDefinition, env?: NodeJS.ProcessEnv): Promise<Served>
  /** Starts another server on the database of a running server. */
  serveAlso(name: string): Promise<Served>
  urlOf(name: string): string
  serveBare(): Promise<string>
  /**
   * Stops everything. Throws an error if the command `usp verify` finds a double booking, or a missing or extra row.
   */
  close(): Promise<void>
}

export interface Served {
  origin: string
  pid: number
  db: pg.Client
  /** Restarts the server on the same port. Returns the milliseconds until it is ready. */
  restart(): Promise<number>
  end(): Promise<void>
}

export async function openStage(): Promise<Stage> {
  const folder = join(tmpdir(), `usp-bench-${randomUUID()}`)
  const postgres = await startEmbeddedPostgres(folder)
  const children = new Set<ChildProcess>()
  // Cleans up if a benchmark fails or the user interrupts it.
  process.once('exit', () => {
    for (const child of children) child.kill()
    rmSync(folder, { recursive: true, force: true })
  })
  onEndSignal(() => void postgres.stop().finally(() => process.exit(1)))
  const clients: pg.Client[] = []
  const urlOf = (name: string) => Object.assign(new URL(postgres.url), { pathname: `/${name}` }).href
  const connect = async (url: string) => {
    const client = new pg.Client(url)
    client.on('error', () => {}) // A query on this connection fails too, and its caller handles the error.
    clients.push(client)
    await client.connect()
    return client
  }
  const launch = async (command: string, env: NodeJS.ProcessEnv) => {
    const port = await freePort()
    const origin = `http://127.0.0.1:${port}`
    const serverEnv = {
      PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
      PORT: String(port),
      ...env,
    }
    let child: ChildProcess | undefined
    const start = async (probe: string) => {
      const begun = performance.now()
      const started = spawn('sh', ['-c', command.replace('exec node', `exec node ${profiling()}`)], {
        cwd: root,
        env: serverEnv,
        stdio: ['ignore', 'ignore', 'inherit'],
        // The server runs in a separate session, as a system service does. Linux divides the CPU between sessions, and
        // each PostgreSQL connection is one session.
        detached: true,
      })
      child = started
      children.add(started)
      while (
        !(await fetch(origin + probe).then(
          ({ ok }) => ok,
          () => false,
        ))
      ) {
        if (started.exitCode !== null) throw new Error(`${command} ended with ${started.exitCode}`)
        // The pause is necessary, because a loop without it would take a core from the server.
        await pass(5)
      }
      return performance.now() - begun
    }
    const restart = async () => {
      if (child) await end(child)
      return start('/readyz')
    }
    await start('/healthz')
    return { origin, pid: child?.pid ?? 0, restart, end: async () => child && end(child) }
  }
  const environments = new Map<string, NodeJS.ProcessEnv>()
  const verify = async (env: NodeJS.ProcessEnv) => {
    const child = spawn(process.execPath, ['src/main.ts', 'verify'], { cwd: root, env })
    const [output] = await Promise.all([text(child.stdout), once(child, 'close')])
    if (child.exitCode !== 0) throw new Error(`usp verify: ${output}`)
  }
  const end = async (child: ChildProcess) => {
    children.delete(child)
    child.kill('SIGINT')
    if (child.exitCode === null) await once(child, 'close')
  }
  const serveOn = async (name: string, more: NodeJS.ProcessEnv = {}) => {
    const data = join(folder, name)
    const env = { DATABASE_URL: urlOf(name), USP_DATA_DIR: data, USP_BUSINESS_FILE: join(data, 'business.yaml') }
    environments.set(name, env)
    return { ...(await launch(manifest.scripts.start, { ...env, ...more })), db: await connect(urlOf(name)) }
  }
  const admin = await connect(postgres.superuserUrl)
  return {
    async serve(name, definition, more = {}) {
      await admin.query(`create database ${name} owner ${ROLE}`)
      await migrate(urlOf(name))
      const data = join(folder, name)
      mkdirSync(data)
      // Each JSON text is also valid YAML.
      writeFileSync(join(data, 'business.yaml'), JSON.stringify(definition))
      return serveOn(name, more)
    },
    serveAlso: (name) => serveOn(name),
    urlOf,
    async serveBare() {
      await admin.query(`create database bare owner ${ROLE}`)
      await migrate(urlOf('bare'))
      return (
        await launch(manifest.scripts.start.replace('src/main.ts serve', 'bench/support/minimal-server.ts'), {
          DATABASE_URL: urlOf('bare'),
        })
      ).origin
    },
    async close() {
      for (const child of children) await end(child)
      for (const client of clients) await client.end()
      try {
        for (const env of environments.values()) await verify(env)
        if (environments.size > 0) console.log(`usp verify is clean (${[...environments.keys()].join(', ')})`)
      } finally {
        await postgres.stop()
      }
    },
  }
}

/** `BENCH_PROFILE=1 node bench/…` writes a CPU profile of each server. */
const profiling = () => (process.env.BENCH_PROFILE ? '--cpu-prof --cpu-prof-dir=/tmp/usp-profiles' : '')
