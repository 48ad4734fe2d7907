import { hash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type Certified, issuedBy, selfSigned } from '../support/certificates.ts'
import { freshDatabase } from '../support/database.ts'
import { businessWith, service } from '../support/definitions.ts'
import { testPlatform } from '../support/platform.ts'
import { START, testServer } from '../support/server.ts'

const PROXY = '10.0.0.5'
const definition = businessWith([service('svc_a')], { authorization: { accepted_mechanisms: ['mtls'] } })
const databaseUrl = await freshDatabase()
const replica = () => testServer(definition, { env: { TRUST_PROXY: PROXY }, databaseUrl })
const server = await replica()
const { db } = server.runtime
const platform = await testPlatform()
const elsewhere = await testPlatform()
const authority = selfSigned('Authority')
const otherAuthority = selfSigned('Another authority')

type Answer = { code: string | undefined; id: string }

/** What a platform does with its certificate, over one of the bindings. */
const over = {
  REST: async (to: typeof server, client: Certified, id = '', profile = platform.url): Promise<Answer> => {
    const { body } = await to.raw({
      method: id ? 'GET' : 'POST',
      url: `/usp/v1/services/feed/subscriptions${id && `/${id}`}`,
      headers: { 'usp-agent': `profile="${profile}"`, 'client-cert': asHeader(client) },
      ...(!id && { payload: { callback_url: 'https://127.0.0.1:9443/hook' } }),
      remoteAddress: PROXY,
    })
    return { code: body.code, id: body.subscription?.id }
  },
  MCP: async (to: typeof server, client: Certified, id = '', profile = platform.url): Promise<Answer> => {
    const name = id ? 'usp_services_feed_subscription_get' : 'usp_services_feed_subscribe'
    const input = id ? { subscription_id: id } : { callback_url: 'https://127.0.0.1:9443/hook' }
    const params = { name, arguments: { ...input, _meta: { usp: { profile } } } }
    const { body } = await to.raw({
      method: 'POST',
      url: '/usp/mcp',
      headers: { 'client-cert': asHeader(client) },
      payload: { jsonrpc: '2.0', id: 7, method: 'tools/call', params },
      remoteAddress: PROXY,
    })
    return { code: body.error?.data.code, id: body.result?.structuredContent.subscription?.id }
  },
}
const asHeader = ({ der }: Certified) => `:${der.toString('base64')}:`
const thumbprint = ({ der }: Certified) => hash('sha256', der, 'base64url')

describe.each(['REST', 'MCP'] as const)('over %s', (binding) => {
  const call = over[binding]
  let count = 0
  const newName = () => `${binding} platform ${++count}`

  test('[a renewed certificate keeps what is its holder’s] with another key, and with the same', async () => {
    const name = newName()
    const first = issuedBy(authority, name, 'clientAuth')
    const { id } = await call(server, first)
    const again = issuedBy(authority, name, 'clientAuth', { keyFile: first.keyFile })
    const anew = issuedBy(authority, name, 'clientAuth', { others: 'DNS:another.example' })
    for (const renewed of [again, anew]) expect(await call(server, renewed, id)).toEqual({ code: undefined, id })
    expect((await call(server, anew, id, elsewhere.url)).code).toBe('authentication_required')
  })

  test('[a renewed certificate keeps what is its holder’s] where other names stand in the place of the subject', async () => {
    const others = `DNS:${binding}.example,URI:spiffe://example/${binding}`
    const { id } = await call(server, issuedBy(authority, '', 'clientAuth', { others }))
    expect((await call(server, issuedBy(authority, '', 'clientAuth', { others }), id)).id).toBe(id)
    const another = issuedBy(authority, '', 'clientAuth', { others: `${others},DNS:more.example` })
    expect((await call(server, another, id)).code).toBe('subscription_not_found')
  })

  test('[a renewed certificate keeps what is its holder’s] without any name its key is its holder', async () => {
    const first = issuedBy(authority, '', 'clientAuth', { others: '' })
    const { id } = await call(server, first)
    const again = issuedBy(authority, '', 'clientAuth', { others: '', keyFile: first.keyFile })
    expect((await call(server, again, id)).id).toBe(id)
    expect((await call(server, issuedBy(authority, '', 'clientAuth', { others: '' }), id)).code).toBe(
      'subscription_not_found',
    )
  })

  test('[AUT-088] another subject, or the same of another issuer, is somebody else', async () => {
    const name = newName()
    const { id } = await call(server, issuedBy(authority, name, 'clientAuth'))
    const lookalikes = [
      issuedBy(authority, `${name}\\nCN=x`, 'clientAuth'),
      issuedBy(authority, '', 'clientAuth', { others: `DNS:${name.replaceAll(' ', '-')}` }),
      issuedBy(otherAuthority, name, 'clientAuth'),
      issuedBy(selfSigned(`Authority/CN=${name}`), name, 'clientAuth'),
    ]
    for (const other of lookalikes) expect((await call(server, other, id)).code).toBe('subscription_not_found')
  })

  /** As a server left it that took the whole certificate for its holder. */
  async function knownFromBefore(client: Certified) {
    const { id } = await call(server, issuedBy(authority, newName(), 'clientAuth'))
    const principal = `cert:${thumbprint(client)}`
    const seen = { profile: platform.url, first_seen: START, last_seen: START }
    await db
      .insertInto('principals')
      .values({ principal, ...seen })
      .execute()
    await db.updateTable('feed_subscriptions').set({ principal }).where('id', '=', id).execute()
    return id
  }

  test('[a renewed certificate keeps what is its holder’s] who was known by the whole certificate shows it once more', async () => {
    const name = newName()
    const client = issuedBy(authority, name, 'clientAuth')
    const id = await knownFromBefore(client)
    expect((await call(server, client, id)).id).toBe(id)
    const renewed = issuedBy(authority, name, 'clientAuth')
    for (const any of [server, await replica()]) {
      expect((await call(any, renewed, id)).id).toBe(id)
      expect((await call(any, renewed, id, elsewhere.url)).code).toBe('authentication_required')
    }
  })

  test('[a renewed certificate keeps what is its holder’s] of two of one subject from before each keeps its own', async () => {
    const name = newName()
    const clients = [issuedBy(authority, name, 'clientAuth'), issuedBy(authority, name, 'clientAuth')] as const
    const ids = [await knownFromBefore(clients[0]), await knownFromBefore(clients[1])] as const
    for (const any of [server, await replica()])
      for (const at of [0, 1] as const) expect((await call(any, clients[at], ids[at])).id).toBe(ids[at])
    const renewed = issuedBy(authority, name, 'clientAuth')
    expect((await call(server, renewed, ids[0])).id).toBe(ids[0])
    expect((await call(server, renewed, ids[1])).code).toBe('subscription_not_found')
  })

  test('[a renewed certificate keeps what is its holder’s] many first calls at once are one caller’s', async () => {
    const name = newName()
    const replicas = await Promise.all([replica(), replica()])
    const calls = [0, 1, 2, 3, 4, 5].map(async (nth) =>
      call(replicas[nth % 2] ?? server, issuedBy(authority, name, 'clientAuth')),
    )
    const own = await Promise.all(calls)
    for (const { id } of own) expect((await call(server, issuedBy(authority, name, 'clientAuth'), id)).id).toBe(id)
  })
})
