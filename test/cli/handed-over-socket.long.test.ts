import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { freshDatabase } from '../support/database.ts'

/** Holds the socket as systemd does, and starts one server after the other on it. */
const HOLDER = `for turn in 1 2; do
  sh -c 'echo "pid $$"; LISTEN_PID=$$ LISTEN_FDS=1 exec node_modules/.bin/node src/main.ts serve'
done`

const statusOf = (port: number) =>
  new Promise<number | string | undefined>((resolve) => {
    get({ port, path: '/.well-known/usp', agent: false }, (answer) => resolve(answer.resume().statusCode)).on(
      'error',
      ({ message }) => resolve(message),
    )
  })

test('[an upgrade of one server] no call is refused while a server ends and the next one starts on the same socket', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'usp-socket-'))
  const socket = createServer().listen(0, '127.0.0.1')
  await once(socket, 'listening')
  const { port } = socket.address() as AddressInfo
  const { fd } = Reflect.get(socket, '_handle') as { fd: number }
  const holder = spawn('sh', ['-c', HOLDER], {
    // As systemd has it the setting of the port does not count.
    env: { PATH: process.env.PATH, PORT: '1', USP_DATA_DIR: folder, DATABASE_URL: await freshDatabase() },
    stdio: ['ignore', 'pipe', 'pipe', fd],
    detached: true,
  })
  socket.close()
  onTestFinished(() => {
    process.kill(-Number(holder.pid), 'SIGKILL')
    rmSync(folder, { recursive: true })
  })
  let said = ''
  for (const stream of [holder.stdout, holder.stderr]) stream?.on('data', (chunk) => (said += chunk))
  const pids = () => [...said.matchAll(/^pid (\d+)$/gm)].map(([, pid]) => Number(pid))
  const started = () => said.split('Ctrl-C stops it.').length - 1
  const untilStarted = (count: number) =>
    expect.poll(() => (holder.exitCode === null ? started() : said), { timeout: 120_000 }).toBe(count)

  await untilStarted(1)
  const answers: (number | string | undefined)[] = []
  let isOver = false
  const calling = Promise.all(
    Array.from({ length: 3 }, async () => {
      for (; !isOver; await setTimeout(10)) answers.push(await statusOf(port))
    }),
  )
  await setTimeout(500)
  process.kill(Number(pids()[0]), 'SIGTERM')
  await untilStarted(2)
  await setTimeout(500)
  isOver = true
  await calling
  expect(answers.length).toBeGreaterThan(10)
  expect(answers.filter((status) => status !== 200)).toEqual([])
})
