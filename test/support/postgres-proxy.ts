import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { afterAll } from 'vitest'

/**
 * Stands between a server and its PostgreSQL, and can let a COMMIT, or what is answered to it, get lost. A statement outside
 * of a transaction is its own.
 */
export interface PostgresProxy {
  url: string
  /**
   * Loses it of the next transaction that says this word, since a server commits on its own, too; resolves when that has
   * happened, for the answer: when the COMMIT has taken effect.
   */
  lose(what: 'the COMMIT' | 'its answer', word: string): Promise<void>
}

/** A simple query as it is on the wire: its kind, its length and its text. */
const onWire = (text: string) => Buffer.from(`Q\0\0\0${String.fromCharCode(text.length + 5)}${text}\0`)
const [BEGIN, COMMIT, ROLLBACK] = [onWire('begin'), onWire('commit'), onWire('rollback')]

export async function openPostgresProxy(databaseUrl: string): Promise<PostgresProxy> {
  const { hostname, port } = new URL(databaseUrl)
  let awaited: { what: string; word: string; lost: () => void } | undefined
  const server = createServer((client) => {
    const postgres = connect(Number(port), hostname)
    let answerLost: (() => void) | undefined
    let concerned = false
    let begun = false
    client.on('data', (sent) => {
      concerned ||= awaited !== undefined && sent.includes(awaited.word)
      begun ||= sent.includes(BEGIN)
      const isCommit = sent.includes(COMMIT)
      const ends = isCommit || !begun
      if (isCommit || sent.includes(ROLLBACK)) begun = false
      if (awaited && concerned && ends) {
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
