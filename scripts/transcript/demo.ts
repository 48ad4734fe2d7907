import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { freePort } from '../../src/infra/db/embedded-postgres-cluster.ts'

/** Runs `npm start` with a temporary data folder while `use` runs. By default, the demo salon has no bookings. */
export async function withDemo(
  use: (origin: string, env: NodeJS.ProcessEnv) => Promise<void>,
  { demoData = 'off' }: { demoData?: 'on' | 'off' } = {},
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'usp-transcript-'))
  // If this script runs as root, PostgreSQL runs as another user. This user must be able to enter the folder.
  await chmod(folder, 0o711)
  const port = await freePort()
  const settings = { PORT: String(port), USP_DATA_DIR: folder, USP_DEMO_DATA: demoData }
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...settings }
  const server = spawn('npm', ['start'], { env, detached: true, stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = once(server, 'close')
  try {
    const origin = `http://127.0.0.1:${port}`
    await Promise.race([ready(origin), ended.then(() => Promise.reject(new Error('npm start ended.')))])
    await use(origin, env)
  } finally {
    // Ends the whole process group, because npm does not forward signals to its child process.
    if (server.pid !== undefined && server.exitCode === null) process.kill(-server.pid, 'SIGINT')
    await ended
    await rm(folder, { recursive: true, force: true })
  }
}

async function ready(origin: string): Promise<void> {
  const isReady = () =>
    fetch(`${origin}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await isReady())) await setTimeout(200)
}
