import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pass } from 'node:timers/promises'
import { freePort } from '../support/process.ts'
import { cleanUpAtEnd } from './clean-up-at-end.ts'
import { readService } from './compose-service.ts'
import { docker } from './docker.ts'
import { business } from './image-business.ts'
import { waitUntilReady } from './wait-until-ready.ts'

const BUILD_TIMEOUT_MS = 15 * 60_000
/** In milliseconds. The first start of the database may also download its image. */
const DATABASE_TIMEOUT_MS = 5 * 60_000

/** The server and the database of docker-compose.yml, as containers of one test. */
export type ImageSetUp = Awaited<ReturnType<typeof openImageSetUp>>

export async function openImageSetUp(atEnd: (cleanUp: () => Promise<void>) => void) {
  const name = `usp-image-test-${randomBytes(4).toString('hex')}`
  const label = `dev.usp-server.test=${name}`
  const folder = mkdtempSync(join(tmpdir(), 'usp-image-'))
  atEnd(cleanUpAtEnd({ label, image: name, folder }))

  // The user of the image must be able to read these files.
  chmodSync(folder, 0o755)
  mkdirSync(join(folder, 'tls'))
  // JSON is YAML.
  writeFileSync(join(folder, 'business.yaml'), JSON.stringify(business), { mode: 0o644 })
  await docker(['build', '--tag', name, '.'], BUILD_TIMEOUT_MS)
  await docker(['network', 'create', '--label', label, name])
  const volumes = { './backups': `${name}-backups`, database: `${name}-database` }
  for (const volume of Object.values(volumes)) await docker(['volume', 'create', '--label', label, volume])

  const port = await freePort()
  const settings = {
    PUBLISH: `127.0.0.1:${port}`,
    BASE_URL: 'https://book.example.com',
    POSTGRES_PASSWORD: randomBytes(24).toString('hex'),
    USP_SECRET_KEY: randomBytes(32).toString('hex'),
  }
  const sources = { './business.yaml': join(folder, 'business.yaml'), './tls': join(folder, 'tls'), ...volumes }
  const service = (which: string, more: NodeJS.ProcessEnv = {}) =>
    readService(which, { settings: { ...settings, ...more }, sources })
  const server = service('server')
  const database = service('database')
  const chown = service('backups-folder')
  const nameOf = (which: 'server' | 'database') => `${name}-${which}`
  const inNetwork = ['--label', label, '--network', name]
  const detached = (which: 'server' | 'database') => [
    ...['run', '--detach', '--name', nameOf(which), '--network-alias', which],
    ...inNetwork,
  ]
  await docker(['run', '--rm', '--label', label, ...chown.options, name, ...chown.command])
  await docker([...detached('database'), ...database.options, database.image], DATABASE_TIMEOUT_MS)

  const setUp = {
    image: name,
    origin: `http://127.0.0.1:${port}`,
    graceSeconds: server.graceSeconds,
    nameOf,
    /** Creates the container of the server, as `docker compose up` does, and waits until the server is ready. */
    async startServer(): Promise<void> {
      await docker([...detached('server'), ...server.options, name])
      await waitUntilReady(setUp.origin)
    },
    /** Stops the container of the server, as `docker compose stop` does. Returns the exit code of the server. */
    async stopServer(): Promise<number> {
      await docker(['stop', nameOf('server')])
      return Number(await docker(['inspect', '--format', '{{.State.ExitCode}}', nameOf('server')]))
    },
    removeServer: () => docker(['rm', '--volumes', nameOf('server')]),
    /** Runs a command in a new container, as `docker compose run --rm server` does. */
    runCommand: (command: string[], more: NodeJS.ProcessEnv = {}) =>
      docker(['run', '--rm', ...inNetwork, ...service('server', more).optionsOfCommand, name, ...command]),
    /** Runs an SQL statement, and returns one line for each row. */
    async sql(statement: string, on = 'usp'): Promise<string[]> {
      const psql = ['psql', '-U', 'usp', '-d', on, '-Atc', statement]
      return (await docker(['exec', nameOf('database'), ...psql])).split('\n').filter(Boolean)
    },
    async waitForDatabase(): Promise<void> {
      const isReady = () => docker(['exec', nameOf('database'), ...database.healthCommand]).then(Boolean, () => false)
      for (const until = Date.now() + DATABASE_TIMEOUT_MS; !(await isReady()); await pass(500))
        if (Date.now() > until) throw new Error('The database does not answer.')
    },
  }
  await setUp.waitForDatabase()
  return setUp
}
