import { chmodSync, chownSync, copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { owner } from '../../scripts/ha/program.ts'
import { frontPrograms } from '../../scripts/ha/programs.ts'
import { freshDatabase } from '../support/database.ts'
import { freePort } from '../support/process.ts'
import { proxies } from '../support/proxies.ts'
import { letPeopleIn } from './people.ts'

const WRITES = 10
/** Milliseconds in which both servers are called. */
const CALM = 2_000
const missing = proxies.HAProxy?.missing || proxies.Caddy?.missing

test.skipIf(missing)(
  `[deploy/ha] every POST is answered while servers end, are killed and are replaced${missing}`,
  async () => {
    const { places, servers, balancer, caddy } = await makeFront()
    const origins = places.servers.map((port) => `http://127.0.0.1:${port}`)
    const start = async (index: number) => {
      servers[index]?.start()
      await servers[index]?.waitUntilReady(`${origins[index]}/readyz`)
    }
    for (const index of servers.keys()) await start(index)
    balancer.start()
    await balancer.waitUntilReady(`http://127.0.0.1:${places.balancer}/healthz`)
    caddy.start()
    const front = `http://127.0.0.1:${places.caddy}`
    await caddy.waitUntilReady(`${front}/.well-known/usp`)
    const people = await letPeopleIn([front], places.databaseUrl, WRITES)

    for (const signal of ['SIGTERM', 'SIGKILL'] as const)
      for (const [index, server] of servers.entries()) {
        await setTimeout(CALM)
        await server.end(signal)
        await start(index)
      }
    await setTimeout(CALM)

    expect(await people.end()).toEqual([])
    const { attempts } = people.witness
    expect(attempts.length).toBeGreaterThan(50)
    expect(attempts.filter(({ status }) => status !== 201)).toEqual([])
    await people.db.destroy()
  },
  600_000,
)

async function makeFront() {
  const folder = mkdtempSync(join(tmpdir(), 'usp-ha-front-'))
  chmodSync(folder, 0o755)
  for (const name of ['etc', 'log', 'caddy', 'server']) mkdirSync(join(folder, name))
  if (owner.uid !== undefined) chownSync(join(folder, 'caddy'), owner.uid, owner.gid)
  for (const name of ['balancer.cfg', 'Caddyfile'])
    copyFileSync(new URL(`../../deploy/ha/${name}`, import.meta.url), join(folder, 'etc', name))
  const places = {
    folder,
    databaseUrl: await freshDatabase(),
    servers: [await freePort(), await freePort()],
    balancer: await freePort(),
    caddy: await freePort(),
  }
  const parts = frontPrograms(places, {
    DATABASE_URL: places.databaseUrl,
    USP_DATA_DIR: join(folder, 'server'),
    TRUST_PROXY: '127.0.0.1',
    BASE_URL: `http://127.0.0.1:${places.caddy}`,
    USP_SECRET_KEY: 'known on this machine alone, by both',
  })
  onTestFinished(async () => {
    await Promise.all([parts.caddy, parts.balancer, ...parts.servers].map((part) => part.end('SIGKILL')))
    rmSync(folder, { recursive: true })
  })
  return { places, ...parts }
}
