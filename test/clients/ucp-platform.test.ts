import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { freePort, usp, waitForOutput } from '../support/process.ts'

const folder = mkdtempSync(join(tmpdir(), 'usp-ucp-platform-'))
chmodSync(folder, 0o755) // as root, the server runs PostgreSQL as another user, who must be able to enter

/** The demo business with a UCP checkout, as examples/clients/README.md makes it. */
function writeBusiness(): string {
  const demo = readFileSync('examples/glamour-salon.yaml', 'utf8').replace('provider: manual', 'provider: stripe')
  const file = join(folder, 'ucp-salon.yaml')
  writeFileSync(
    file,
    `${demo}\ndeployment_mode: ucp_native\nucp_checkout: { enabled: true, accepted_methods: [cash] }\n`,
  )
  return file
}

/** Runs the example to its end, and returns what it printed. */
async function buysAt(origin: string, env: NodeJS.ProcessEnv): Promise<string> {
  const node = resolve('node_modules/.bin/node')
  const child = spawn(node, ['ucp-platform.ts', origin], {
    cwd: 'examples/clients',
    env: { PATH: process.env.PATH, ...env },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  await once(child, 'close')
  return output
}

test('a UCP platform buys with a token, with a deposit and at the visit, reschedules and cancels', async () => {
  const [port, platformPort, stripePort] = [await freePort(), await freePort(), await freePort()]
  const business = usp(['serve'], {
    PORT: String(port),
    USP_DATA_DIR: join(folder, 'data'),
    USP_BUSINESS_FILE: writeBusiness(),
    STRIPE_SECRET_KEY: 'sk_test_trial',
    STRIPE_WEBHOOK_SECRET: 'whsec_trial',
    STRIPE_API_BASE: `http://127.0.0.1:${stripePort}`,
    STRIPE_NETWORK_ID: 'profile_trial',
    STRIPE_ACCOUNT_ID: 'acct_trial',
  })
  await waitForOutput(business, 'is served at')

  const output = await buysAt(`http://127.0.0.1:${port}`, {
    PLATFORM_PORT: String(platformPort),
    PLATFORM_KEY: join(folder, 'key.pem'),
    STRIPE_STAND_IN_PORT: String(stripePort),
  })
  const confirmed = 'Order ord_\\S+, booking bkg_\\S+ is confirmed'
  const outline = [
    ...['at_booking', 'Held until', confirmed],
    ...['deposit_required', 'Held until', 'is due now as a deposit', confirmed],
    ...['at_service', 'Held until', confirmed],
  ]
  expect(output).toMatch(
    new RegExp([...outline, 'Held until', 'Rescheduled to', 'Canceled', 'a cancellation, completed'].join('[^]*')),
  )

  business.process.kill('SIGTERM')
  await business.ended
})
