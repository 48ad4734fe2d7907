import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import { FaultProxy } from '../../packages/conformance/mutants/proxy.ts'
import { SANDBOX_LIMITS } from '../../src/cli/sandbox-rate-limits.ts'
import type { BusinessDefinition } from '../../src/protocol/types.generated.ts'
import { freePort, usp, waitForOutput } from '../support/process.ts'
import { stripeStandIn } from '../support/stripe.ts'

/** The demo business. The suite waits when it reaches a limit, so the limits are those of the demo. */
export const demoBusiness = (): BusinessDefinition => ({
  ...parse(readFileSync('examples/glamour-salon.yaml', 'utf8')),
  limits: SANDBOX_LIMITS,
})

/** The demo business with a UCP checkout, and services for the checks that the demo business does not serve. */
export function ucpBusiness(): BusinessDefinition {
  const demo = demoBusiness()
  const find = (id: string) => {
    const service = demo.services.find((one) => one.id === id)
    if (!service) throw new Error(`The demo business has no ${id}`)
    return service
  }
  const { price_rules: _, localized: __, ...color } = find('svc_color')
  const { localized: ___, ...call } = find('svc_call')
  const deposit = { type: 'fixed' as const, value: 1000, refundable: true }
  return {
    ...demo,
    services: [
      ...demo.services,
      { ...color, id: 'svc_gloss', pricing: { model: 'fixed', amount: 10_000, currency: 'USD', deposit } },
      { ...call, id: 'svc_signed', waiver: { text: 'I follow the advice at my own risk.' } },
    ],
    payments: { provider: 'stripe', tax: { percent: 10, included: false } },
    deployment_mode: 'ucp_native',
    ucp_checkout: { enabled: true, accepted_methods: ['cash'] },
  }
}

export const startUcpBusiness = (more: NodeJS.ProcessEnv = {}) => startBusiness(ucpBusiness(), more)

/** Starts a business behind a proxy for faults. All payments go to a stand-in for Stripe, with one token. */
export async function startBusiness(definition: BusinessDefinition, more: NodeJS.ProcessEnv = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'usp-ucp-suite-'))
  chmodSync(folder, 0o755) // as root, the server runs PostgreSQL as another user, who must be able to enter
  const file = join(folder, 'business.yaml')
  writeFileSync(file, stringify(definition))
  const stripe = await stripeStandIn()
  const token = stripe.grant({ max_amount: 10_000_000 })
  // A token of Stripe pays once. The suite pays all its checkouts with one token.
  Object.defineProperty(token, 'revoked', { get: () => false, set: () => {} })
  const [serverPort, port] = [await freePort(), await freePort()]
  const url = `http://127.0.0.1:${port}`
  const proxy = new FaultProxy(`http://127.0.0.1:${serverPort}`)
  await proxy.listen(port)
  const data = join(folder, 'data')
  const server = usp(['serve'], {
    ...stripe.env,
    PORT: String(serverPort),
    BASE_URL: url,
    USP_MODE: 'development',
    USP_DATA_DIR: data,
    USP_BUSINESS_FILE: file,
    STRIPE_NETWORK_ID: 'profile_trial',
    STRIPE_ACCOUNT_ID: 'acct_trial',
    ...more,
  })
  await waitForOutput(server, 'is served at')
  const staff = `usp-server:${readFileSync(join(data, 'owner-token'), 'utf8').trim()}`
  return {
    proxy,
    settings: { url, seed: 1, staff, paymentToken: token.id },
    async stop() {
      server.process.kill('SIGTERM')
      await server.ended
      await proxy.close()
    },
  }
}
