import { chmodSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Check } from '../../packages/conformance/checks/check.ts'
import type { Fault } from '../../packages/conformance/mutants/fault.ts'
import { FaultProxy } from '../../packages/conformance/mutants/proxy.ts'
import { runChecks } from '../../packages/conformance/run/run-checks.ts'
import { startRun } from '../../packages/conformance/run/start-run.ts'
import { freePort, usp, waitForOutput } from '../support/process.ts'

/** Starts the demo business behind a proxy. Runs checks against it, while the proxy changes its behaviour. */
export async function proxiedServer(more: NodeJS.ProcessEnv = {}) {
  const [serverPort, port] = [await freePort(), await freePort()]
  const url = `http://127.0.0.1:${port}`
  const proxy = new FaultProxy(`http://127.0.0.1:${serverPort}`)
  await proxy.listen(port)
  const folder = mkdtempSync(join(tmpdir(), 'usp-proxied-'))
  chmodSync(folder, 0o755) // as root, the server runs PostgreSQL as another user, who must be able to enter
  const data = join(folder, 'data')
  const server = usp(['serve'], {
    PORT: String(serverPort),
    BASE_URL: url,
    USP_MODE: 'development',
    USP_DATA_DIR: data,
    ...more,
  })
  await waitForOutput(server, 'is served at')
  const staff = `usp-server:${readFileSync(join(data, 'owner-token'), 'utf8').trim()}`
  return {
    async run(checks: Check[], behaviour?: Fault) {
      proxy.use(behaviour)
      const environment = await startRun({ url, seed: 1, staff })
      try {
        const findings = await runChecks(checks, environment, { atOnce: 8, onFinding: () => {} })
        return findings.map(({ check: { rules, title }, binding, result, reason }) => {
          return { rules: rules.join(' '), title, binding, result, reason }
        })
      } finally {
        await environment.host.close()
      }
    },
    async stop() {
      server.process.kill('SIGTERM')
      await server.ended
      await proxy.close()
    },
  }
}
