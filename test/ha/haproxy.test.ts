import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { Program } from '../../scripts/ha/program.ts'
import { freePort } from '../support/process.ts'
import { proxies } from '../support/proxies.ts'

const missing = proxies.HAProxy?.missing
const cfg = fileURLToPath(new URL('../../deploy/ha/haproxy.cfg', import.meta.url))

test.skipIf(missing)(
  `[deploy/ha] HAProxy keeps nobody waiting for a primary that refuses, and that Patroni has not yet said is lost${missing}`,
  async () => {
    const patroni = createServer((_, response) => response.end()).listen(0, '127.0.0.1')
    await once(patroni, 'listening')
    const says = String((patroni.address() as AddressInfo).port)
    const refuses = `127.0.0.1:${await freePort()}`
    const listens = await freePort()
    const folder = mkdtempSync(join(tmpdir(), 'usp-haproxy-'))
    const haproxy = new Program('haproxy', join(folder, 'log'), {
      program: 'haproxy',
      args: ['-db', '-f', cfg],
      env: {
        ONE: refuses,
        TWO: refuses,
        THREE: refuses,
        PRIMARY_LISTEN: `127.0.0.1:${listens}`,
        PATRONI_ONE: says,
        PATRONI_TWO: says,
        PATRONI_THREE: says,
      },
    })
    onTestFinished(async () => {
      await haproxy.end()
      patroni.close()
      rmSync(folder, { recursive: true })
    })
    haproxy.start()
    const open = () => connect(listens, '127.0.0.1')
    await expect
      .poll(
        () =>
          once(open(), 'connect').then(
            () => true,
            () => haproxy.requireRunning(),
          ),
        { timeout: 10_000 },
      )
      .toBe(true)

    const began = performance.now()
    await once(open().resume(), 'close')
    expect(performance.now() - began).toBeLessThan(500)
  },
)
