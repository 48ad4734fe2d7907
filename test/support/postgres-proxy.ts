import { closeTogether, startDatabaseProxy } from './database-proxy.ts'

/**
 * A proxy before PostgreSQL that can lose a COMMIT or its answer. A statement outside of a transaction counts as its own
 * COMMIT.
 */
export interface PostgresProxy {
  url: string
  /**
   * Loses the COMMIT, or its answer, of the next transaction that contains this word. The word excludes the server's
   * background transactions. Resolves when it is lost. A lost answer means that the COMMIT has taken effect.
   */
  lose(what: 'the COMMIT' | 'its answer', word: string): Promise<void>
}

/** The first use of a prepared statement on a connection sends its name and its text. Each later use sends only the name. */
const PREPARED = /(kept_[\w-]{43})\0([^\0]+)\0/g

/** The wire form of a simple query: its type, its length and its text. */
const onWire = (text: string) => Buffer.from(`Q\0\0\0${String.fromCharCode(text.length + 5)}${text}\0`)
const [BEGIN, COMMIT, ROLLBACK] = [onWire('begin'), onWire('commit'), onWire('rollback')]

export async function openPostgresProxy(databaseUrl: string): Promise<PostgresProxy> {
  const texts = new Map<string, string>()
  const mentions = (sent: Buffer, word: string) => {
    const text = sent.toString('latin1')
    for (const [, name = '', statement = ''] of text.matchAll(PREPARED)) texts.set(name, statement)
    return text.includes(word) || [...texts].some(([name, one]) => one.includes(word) && text.includes(name))
  }
  let awaited: { what: string; word: string; lost: () => void } | undefined
  const url = await startDatabaseProxy(databaseUrl, (client, postgres) => {
    let answerLost: (() => void) | undefined
    let concerned = false
    let begun = false
    client.on('data', (sent) => {
      const isMeant = mentions(sent, awaited?.word ?? '')
      concerned ||= awaited !== undefined && isMeant
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
    closeTogether(client, postgres)
  })
  return {
    url,
    lose: (what, word) =>
      new Promise((lost) => {
        awaited = { what, word, lost }
      }),
  }
}
