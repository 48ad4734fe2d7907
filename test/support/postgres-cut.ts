import type { Socket } from 'node:net'
import { loseBoth, standBefore } from './before-postgres.ts'

/** Stands between a server and its PostgreSQL, and can cut a transaction's connection at any of its steps. */
export interface PostgresCut {
  url: string
  /**
   * The next transaction loses its connection instead of sending its nth message, `begin` being number 0, or instead of
   * being answered to that message: to the database this is a server that died then and there.
   */
  cutAt(nth: number | 'commit', what: 'message' | 'answer'): void
  /** What was lost; nothing when the transaction ended before. From now on nothing is. */
  lost(): string | undefined
}

const BEGIN = Buffer.from('Q\0\0\0\x0abegin\0')
const COMMIT = Buffer.from('Q\0\0\0\x0bcommit\0')

export async function openPostgresCut(databaseUrl: string): Promise<PostgresCut> {
  let plan: { nth: number | 'commit'; what: string; by?: Socket } | undefined
  let lost: string | undefined
  const url = await standBefore(databaseUrl, (client, postgres) => {
    let step = -1
    let isLosingAnswer = false
    const cut = (message: string) => {
      plan = undefined
      lost = message
      client.destroy()
      postgres.destroy()
    }
    client.on('data', (sent) => {
      if (plan && !plan.by && sent.includes(BEGIN)) {
        plan.by = client
        step = -1
      }
      if (plan?.by === client) step++
      if (plan?.by === client && (plan.nth === 'commit' ? sent.includes(COMMIT) : step === plan.nth)) {
        if (plan.what === 'message') return cut(sent.toString('latin1'))
        isLosingAnswer = true
      }
      postgres.write(sent)
    })
    postgres.on('data', (answer) => {
      if (isLosingAnswer) cut(answer.toString('latin1'))
      else client.write(answer)
    })
    loseBoth(client, postgres)
  })
  return {
    url,
    cutAt(nth, what) {
      lost = undefined
      plan = { nth, what }
    },
    lost() {
      plan = undefined
      return lost
    },
  }
}
