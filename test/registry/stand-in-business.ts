import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'
import { loopbackCertificate } from '../../src/core/egress/development/loopback-certificate.ts'
import type { Service } from '../../src/protocol/types.generated.ts'

/** A business whose catalogue can be followed over https on loopback, and that is as odd as a test wants it. */
export interface StandInBusiness {
  endpoint: string
  profileUrl: string
  /** Puts services at the end of the feed. */
  put(...services: Service[]): void
  /** Tells that it is gone. */
  drop(id: string): void
  /** Does not tell it. */
  forget(id: string): void
  /** Puts any record at all at the end. */
  add(record: unknown): void
  feed: { status: string; pageSize: number; maxAge: number; knowsCursors: boolean }
  /** The cursors that were asked for, in order. */
  cursors(): (string | null)[]
  /** How many requests there were at the same time. */
  mostAtOnce(): number
  /** Waited for when a page has been made and before it is sent. */
  before: (() => Promise<void>) | undefined
  /** Answers for the feed. */
  answer: RequestListener | undefined
  /** Answers whatever else is asked for. */
  elsewhere: RequestListener | undefined
}

const FEED = '/usp/services/feed'
const modified_at = '2026-11-20T12:00:00Z'

export async function standInBusiness(): Promise<StandInBusiness> {
  let records: { id: unknown; record: unknown; position: number }[] = []
  let position = 0
  const asked: (string | null)[] = []
  const atOnce = { now: 0, most: 0 }
  const forget = (id: string) => {
    records = records.filter((one) => one.id !== id)
  }
  const add = (record: unknown) =>
    void records.push({ id: Object(Object(record).data).id, record, position: ++position })
  const replace = (state: string, data: { id: string }) => {
    forget(data.id)
    add({ state, modified_at, data })
  }
  const business: StandInBusiness = {
    endpoint: '',
    profileUrl: '',
    put: (...services) => {
      for (const service of services) replace('updated', service)
    },
    drop: (id) => replace('deleted', { id }),
    forget,
    add,
    feed: { status: 'healthy', pageSize: 50, maxAge: 60, knowsCursors: true },
    cursors: () => asked,
    mostAtOnce: () => atOnce.most,
    before: undefined,
    answer: undefined,
    elsewhere: undefined,
  }

  const pageAfter = (cursor: string | null): [number, object] => {
    const { status, pageSize, knowsCursors } = business.feed
    if (cursor !== null && !knowsCursors) return [400, { type: 'https://usp-protocol.dev/errors/cursor-expired' }]
    const rest = records.filter((one) => one.position > Number(cursor ?? 0))
    const page = rest.slice(0, pageSize)
    const next = String(page.at(-1)?.position ?? cursor ?? 0)
    const hasMore = rest.length > page.length
    const pagination = { cursor: hasMore ? next : null, next_cursor: next, has_more: hasMore }
    const feed_meta = { feed_generated_at: modified_at, total_services: records.length, feed_status: status }
    return [200, { usp: { version: '2026-08-20' }, items: page.map(({ record }) => record), pagination, feed_meta }]
  }

  const server = createServer(loopbackCertificate(), async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'https://localhost')
    if (pathname === FEED) asked.push(searchParams.get('cursor'))
    const answer = pathname === FEED ? business.answer : business.elsewhere
    if (answer) return answer(request, response)
    const [status, body] = pathname === FEED ? pageAfter(searchParams.get('cursor')) : [404, {}]
    atOnce.most = Math.max(atOnce.most, ++atOnce.now)
    await business.before?.()
    atOnce.now--
    const headers = { 'content-type': 'application/json', 'cache-control': `public, max-age=${business.feed.maxAge}` }
    response.writeHead(status, headers).end(JSON.stringify(body))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  const origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  return Object.assign(business, { endpoint: `${origin}/usp`, profileUrl: `${origin}/.well-known/usp` })
}
