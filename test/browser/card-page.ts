import { once } from 'node:events'
import { createServer } from 'node:https'
import { afterAll } from 'vitest'
import { loopbackCertificate } from '../../src/core/egress/development/loopback-certificate.ts'
import type { StripeStandIn } from '../support/stripe.ts'
import { cardPagePort } from './chromium.ts'

/** Stripe's own page, where one pays or goes back, at where the browser looks for it. */
export async function openCardPage(stripe: StripeStandIn): Promise<void> {
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
      .end(
        `<!doctype html><title>Stripe</title><a id="pay" href="?paid">Pay</a> <a id="back" href="${session.cancel_url}">Back</a>`,
      )
  }).listen(cardPagePort, '127.0.0.1')
  await once(server, 'listening')
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
}
