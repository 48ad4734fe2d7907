import { once } from 'node:events'
import { createServer } from 'node:https'
import { afterAll } from 'vitest'
import { loopbackCertificate } from '../../src/egress/development/loopback.ts'
import { freePort } from '../support/process.ts'
import type { StripeStandIn } from '../support/stripe.ts'

/** Stripe's own page, where one pays or goes back; and the setting with which a browser finds it under Stripe's name. */
export async function cardPage(stripe: StripeStandIn): Promise<string> {
  const port = await freePort()
  const server = createServer(loopbackCertificate(), ({ url = '' }, response) => {
    const { pathname, search } = new URL(url, 'https://checkout.stripe.com')
    const session = stripe.sessions.find(({ id }) => pathname === `/c/pay/${id}`)
    if (!session) return void response.writeHead(404).end()
    if (search === '?paid') {
      stripe.pay(session)
      return void response.writeHead(303, { location: session.success_url }).end()
    }
    response
      .setHeader('content-type', 'text/html')
      .end(`<!doctype html><title>Stripe</title><a href="?paid">Pay</a> <a href="${session.cancel_url}">Back</a>`)
  }).listen(port, '127.0.0.1')
  await once(server, 'listening')
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  return `--host-resolver-rules=MAP checkout.stripe.com:443 127.0.0.1:${port}`
}
