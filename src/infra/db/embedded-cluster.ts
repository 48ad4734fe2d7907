import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { PlainError } from '../util/plain-error.ts'
import { type Call, locale } from './embedded-programs.ts'

export const SUPERUSER = 'usp'

/** Creates the cluster under another name and then renames it, so an unfinished cluster is never used. */
export async function initialise(call: Call, home: string, data: string) {
  const unfinished = `${data}-${process.pid}`
  rmSync(unfinished, { recursive: true, force: true })
  const auth = ['-A', 'scram-sha-256', `--pwfile=${join(home, 'password')}`]
  await call('initdb', '-D', unfinished, '-U', SUPERUSER, ...auth, '-E', 'UTF8', `--locale=${locale}`, '--no-sync')
  if (existsSync(data)) rmSync(unfinished, { recursive: true, force: true })
  else renameSync(unfinished, data)
}

export async function portOfRunning(call: Call, data: string): Promise<number | undefined> {
  const running = await call('pg_ctl', 'status', '-D', data).then(Boolean, () => false)
  if (running) return Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[3])
}

/** Starts PostgreSQL at this port. Returns another port if another process was faster. */
export async function start(call: Call, data: string, log: string, port: number): Promise<number> {
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=`
  const started = await call('pg_ctl', 'start', '-w', '-D', data, '-l', log, '-o', options).then(Boolean, () => false)
  const running = started ? port : await portOfRunning(call, data)
  if (running !== undefined) return running
  throw new PlainError(`PostgreSQL did not start; ${log} says why. Set DATABASE_URL to use a server of your own.`)
}

/** The major version that created the folder. Other versions cannot read it. */
export const majorOf = (data: string): string => readFileSync(join(data, 'PG_VERSION'), 'utf8').trim()

export const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const server = createServer().on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
