import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { salon } from '../booking-flow/visitor.ts'
import { testShop } from '../support/desk.ts'

const shop = await testShop(salon({ authorization: { identity_linking: true } }))
await (await shop.whole()).listen({ port: 0, host: '127.0.0.1' })
const { port } = (await shop.whole()).server.address() as AddressInfo

/** Asks for what stands in the first line of a request, which may be a whole address. */
async function asked(target: string): Promise<{ status: number | undefined; body: string }> {
  const [answer]: IncomingMessage[] = await once(
    get({ host: '127.0.0.1', port, path: target, agent: false, headers: { accept: 'text/html' } }),
    'response',
  )
  return { status: answer?.statusCode, body: answer ? await text(answer) : '' }
}

const PAGES = ['/book', '/book/svc_haircut?day=2026-11-24', '/my', '/account', '/oauth/authorize?client_id=none']

test.each(PAGES)('[a whole address in a request leads nowhere] %s links to itself alone', async (path) => {
  const plain = await asked(path)
  expect(plain.body).toContain('<!doctype html>')
  const { status, body } = await asked(`http://evil.example${path}`)
  expect(status).toBe(plain.status)
  expect(body).not.toContain('evil.example')
})

test.each(PAGES.slice(0, 4))('[a page in another language] is the same page: %s', async (path) => {
  const { body } = await asked(path)
  const [, link = ''] = /<a href="([^"]*)" lang="de"/.exec(body) ?? []
  const there = new URL(link.replaceAll('&amp;', '&'), `http://127.0.0.1:${port}${path}`)
  expect(there.pathname).toBe(path.split('?')[0])
  const german = await asked(there.pathname + there.search)
  expect(german.body).toContain('<html lang="de"')
  const { searchParams } = new URL(path, 'http://127.0.0.1')
  for (const [name, value] of searchParams) expect(there.searchParams.get(name)).toBe(value)
})
