import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { afterAll } from 'vitest'

/** Stands between a server and its PostgreSQL, and can let a COMMIT, or what is answered to it, get lost. */
export interface PostgresProxy {
  url: string
  /**
   * Loses it of the next transaction that says this word, since a server commits on its own, too; resolves when that has
   * happened, for the answer: when the COMMIT has taken effect.
   */
  lose(what: 'the COMMIT' | 'its answer', word: string): Promise<void>
}

/** A simple query as it is on the wire: its kind, its length and its text. */
const COMMIT = Buffer.from('Q\0\0\0\x0bcommit\0')

export async function openPostgresProxy(databaseUrl: string): Promise<PostgresProxy> {
  const { hostname, port } = new URL(databaseUrl)
  let awaited: { what: string; word: string; lost: () => void } | undefined
  const server = createServer((client) => {
    const postgres = connect(Number(port), hostname)
    let answerLost: (() => void) | undefined
    let concerned = false
    client.on('data', (sent) => {
      concerned ||= awaited !== undefined && sent.includes(awaited.word)
      if (awaited && concerned && sent.includes(COMMIT)) {
        const { what, lost } = awaited
        awaited = undefined
        if (what === 'the COMMIT') return lost()
        answerLost = lost
      }
      postgres.write(sent)
    })
    postgres.on('data', (answer) => (answerLost ? answerLost() : client.write(answer)))
    // Who loses its server loses its transaction, as on a connection without anything in between.
    client.on('close', () => postgres.destroy()).on('error', () => {})
    postgres.on('close', () => client.destroy()).on('error', () => {})
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterAll(() => void server.close())
  const url = new URL(databaseUrl)
  const address = server.address()
  url.host = `127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  return {
    url: url.href,
    lose: (what, word) =>
      new Promise((lost) => {
        awaited = { what, word, lost }
      }),
  }
}
