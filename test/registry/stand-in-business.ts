import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'
import type { Service } from '../../src/protocol/types.generated.ts'
import { loopbackCertificate } from '../../src/trust/development/loopback.ts'

/** A business whose catalogue can be followed over https on loopback, and that is as odd as a test wants it. */
export interface StandInBusiness {
  origin: string
  endpoint: string
  profileUrl: string
  /** Queries of the feed, in order. */
  asked: URLSearchParams[]
  /** Adds a record to the feed, or moves it to its end. */
  put(...services: Service[]): void
  drop(id: string): void
  /** Any record at all. */
  add(record: unknown): void
  /** Of the feed: what a test may change of every page. */
  feed: { status: string; pageSize: number; maxAge: number; knowsCursors: boolean }
  /** Takes the answering over, to fail or to stall. */
  answer: RequestListener | undefined
}

export async function standInBusiness(): Promise<StandInBusiness> {
  const records: { id: unknown; record: unknown; position: number }[] = []
  let position = 0
  const add = (record: unknown) => {
    const id = Object(Object(record).data).id
    const before = records.findIndex((one) => one.id === id && id !== undefined)
    if (before >= 0) records.splice(before, 1)
    records.push({ id, record, position: ++position })
  }
  const modified_at = '2026-11-20T12:00:00Z'
  const business: StandInBusiness = {
    origin: '',
    endpoint: '',
    profileUrl: '',
    asked: [],
    put: (...services) => {
      for (const data of services) add({ state: 'updated', modified_at, data })
    },
    drop: (id) => add({ state: 'deleted', modified_at, data: { id } }),
    add,
    feed: { status: 'healthy', pageSize: 50, maxAge: 60, knowsCursors: true },
    answer: undefined,
  }
  const server = createServer(loopbackCertificate(), (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'https://localhost')
    const { feed, asked, answer } = business
    if (pathname === '/usp/services/feed') asked.push(searchParams)
    if (answer) return answer(request, response)
    const send = (status: number, body: object) =>
      response
        .writeHead(status, { 'content-type': 'application/json', 'cache-control': `max-age=${feed.maxAge}` })
        .end(JSON.stringify(body))
    if (pathname !== '/usp/services/feed') return send(404, {})
    const cursor = searchParams.get('cursor')
    if (cursor !== null && !feed.knowsCursors) return send(422, { code: 'cursor_expired' })
    const rest = records.filter((one) => one.position > Number(cursor ?? 0))
    const page = rest.slice(0, feed.pageSize)
    const next = String(page.at(-1)?.position ?? cursor ?? 0)
    const hasMore = rest.length > page.length
    return send(200, {
      usp: { version: '2026-08-20' },
      items: page.map(({ record }) => record),
      pagination: { cursor: hasMore ? next : null, next_cursor: next, has_more: hasMore },
      feed_meta: { feed_generated_at: modified_at, total_services: records.length, feed_status: feed.status },
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  business.origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  business.endpoint = `${business.origin}/usp`
  business.profileUrl = `${business.origin}/.well-known/usp`
  return business
}
