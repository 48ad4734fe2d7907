import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Frame } from 'playwright-core'
import { afterAll } from 'vitest'
import type { BusinessDefinition } from '../../src/protocol/types.generated.ts'
import { type Shop, testShop } from '../support/desk.ts'
import { freePort } from '../support/process.ts'

/** `site` is the business's own, on another origin, where its pages stand in a frame. */
export type OpenShop = Shop & { url: string; site: string }

/** A frame of another site is only given cookies that come over TLS. */
const TLS = {
  TLS_CERT_FILE: 'src/core/egress/development/loopback-cert.pem',
  TLS_KEY_FILE: 'src/core/egress/development/loopback-key.pem',
}

/** A shop that listens, so that a real browser can visit it. */
export async function openShop(definition: BusinessDefinition, env: NodeJS.ProcessEnv = {}): Promise<OpenShop> {
  const port = await freePort()
  const url = `https://127.0.0.1:${port}`
  const site = await otherSite(({ searchParams: asked }) => {
    const attributes = [...asked].map(([name, value]) => `${name}="${value}"`).join(' ')
    return `<!doctype html><html lang="en" style="${asked.get('site') ?? ''}"><title>Salon</title><main><h1>Salon</h1><script type="module" src="${url}/embed.js"></script><usp-booking ${attributes}></usp-booking></main>`
  })
  const website = { ...definition.website, origins: [site] }
  const shop = await testShop(
    { ...definition, website },
    { env: { ...TLS, BASE_URL: url, PORT: String(port), ...env } },
  )
  await (await shop.whole()).listen({ port, host: '127.0.0.1' })
  return { ...shop, url, site }
}

/** Somebody else's site, on an origin of its own. */
export async function otherSite(body: (address: URL) => string): Promise<string> {
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const server = createServer(({ url = '/' }, response) =>
    response.setHeader('content-type', 'text/html').end(body(new URL(url, origin))),
  ).listen(port, '127.0.0.1')
  await once(server, 'listening')
  afterAll(() => server.close())
  return origin
}

export function secondsLater(shop: Shop, seconds: number): void {
  shop.time.now = new Date(shop.time.now.getTime() + seconds * 1000)
}

/** The booking whose page, or one of whose pages, somebody is on. */
export async function bookingOf({ runtime: { db } }: Shop, shown: Pick<Frame, 'url'>) {
  const [, id = ''] = /\/booking\/([\w-]+)\//.exec(shown.url()) ?? []
  return db.selectFrom('bookings').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}
