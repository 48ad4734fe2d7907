import { loseBoth, standBefore } from './before-postgres.ts'

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
  let awaited: { what: string; word: string; lost: () => void } | undefined
  const url = await standBefore(databaseUrl, (client, postgres) => {
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
    loseBoth(client, postgres)
  })
  return {
    url,
    lose: (what, word) =>
      new Promise((lost) => {
        awaited = { what, word, lost }
      }),
  }
}
