import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { freePort, usp, waitForOutput } from '../support/process.ts'

const folder = mkdtempSync(join(tmpdir(), 'usp-living-rules-'))
chmodSync(folder, 0o755) // as root, the server runs PostgreSQL as another user, who must be able to enter

/** The limits of the demo business are too low for the calls of all rules in one minute, and its closures depend on the date. */
const limits =
  'catalogue: 2000, availability: 2000, holds: 2000, bookings: 2000, other: 2000, failed_authentications: 2000'
const demo = `${readFileSync('examples/glamour-salon.yaml', 'utf8').replace(/^closures:\n(?: {2}- .*\n)+/m, '')}\nlimits: { ${limits} }\n`

function write(name: string, definition: string): string {
  const file = join(folder, name)
  writeFileSync(file, definition)
  return file
}

const advice = (id: string, adviser: string, bookingWindow = '') => `
  - id: ${id}
    name: Advice
    type: appointment
    description: Advice by phone.
    duration: { fixed: PT30M }
    pricing: { model: free, currency: USD }
    resources: [{ type: staff, name: Adviser, options: [${adviser}] }]
    channel: { type: phone }
    policies:
      cancellation: { allowed: true }
      rescheduling: { allowed: true }
      ${bookingWindow}
      confirmation_mode: auto
      requires_payment: false
`

/** The demo business, with services at night, without a booking window and without an opening. */
function writeStandalone(): string {
  const resources = `
  - { id: staff_night, type: staff, name: Night, hours: [{ days: [sunday], opens: "00:30", closes: "16:00" }] }
  - { id: staff_away, type: staff, name: Away, hours: [{ days: [monday], opens: "09:00", closes: "10:00" }] }
`
  const services = [
    advice('svc_night', 'staff_night', 'booking_window: { max_advance: P400D, slot_interval: PT30M }'),
    advice('svc_open', 'staff_night'),
    advice('svc_never', 'staff_away'), // the business is closed on Mondays
  ]
  const definition = demo
    .replace('{ days: [sunday], opens: "10:00"', '{ days: [sunday], opens: "00:30"')
    .replace(/^resources:\n/m, `resources:${resources}`)
    .replace(/^services:\n/m, `services:${services.join('')}`)
  return write('standalone.yaml', definition)
}

const writeUcp = () =>
  write(
    'ucp.yaml',
    `${demo.replace('provider: manual', 'provider: stripe')}
deployment_mode: ucp_native
ucp_checkout: { enabled: true, accepted_methods: [cash] }
`,
  )

async function start(name: string, definition: string, env: NodeJS.ProcessEnv = {}) {
  const port = await freePort()
  const settings = { PORT: String(port), USP_DATA_DIR: join(folder, name), USP_BUSINESS_FILE: definition, ...env }
  const server = usp(['serve'], settings)
  await waitForOutput(server, 'is served at')
  return { server, origin: `http://127.0.0.1:${port}` }
}

/** Runs the script to its end, and returns its lines. */
async function checkRules(origins: string[], env: NodeJS.ProcessEnv): Promise<string[]> {
  const node = resolve('node_modules/.bin/node')
  const child = spawn(node, ['test/clients/living-rules.ts', ...origins], { env: { PATH: process.env.PATH, ...env } })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  await once(child, 'close')
  return output.trim().split('\n')
}

test('a stranger to the server finds no deviation from 60 rules of the living protocol', async () => {
  const [platformPort, stripePort] = [await freePort(), await freePort()]
  const [standalone, ucp] = await Promise.all([
    start('standalone', writeStandalone()),
    start('ucp', writeUcp(), {
      STRIPE_SECRET_KEY: 'sk_test_trial',
      STRIPE_WEBHOOK_SECRET: 'whsec_trial',
      STRIPE_API_BASE: `http://127.0.0.1:${stripePort}`,
      STRIPE_NETWORK_ID: 'profile_trial',
      STRIPE_ACCOUNT_ID: 'acct_trial',
    }),
  ])

  const lines = await checkRules([standalone.origin, ucp.origin], {
    PLATFORM_PORT: String(platformPort),
    STRIPE_STAND_IN_PORT: String(stripePort),
  })
  expect(lines.filter((line) => !/^LIV-\d{3} ok: /.test(line))).toEqual([])
  expect(new Set(lines.map((line) => line.slice(0, 7))).size).toBe(60)

  for (const { server } of [standalone, ucp]) {
    server.process.kill('SIGTERM')
    await server.ended
  }
})
