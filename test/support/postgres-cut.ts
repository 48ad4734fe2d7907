import type { Socket } from 'node:net'
import { closeTogether, startDatabaseProxy } from './database-proxy.ts'

/** A proxy before PostgreSQL that can cut the connection of a transaction at any step. */
export interface PostgresCut {
  url: string
  /**
   * Cuts the connection of the next transaction at its nth message (`begin` is number 0): before the message, or before
   * the answer to it. For the database the server died at this moment.
   */
  cutAt(nth: number | 'commit', what: 'message' | 'answer'): void
  /** The lost message or answer; undefined when the transaction ended before the cut. Also cancels a pending cut. */
  lost(): string | undefined
}

const BEGIN = Buffer.from('Q\0\0\0\x0abegin\0')
const COMMIT = Buffer.from('Q\0\0\0\x0bcommit\0')

export async function openPostgresCut(databaseUrl: string): Promise<PostgresCut> {
  let plan: { nth: number | 'commit'; what: string; by?: Socket } | undefined
  let lost: string | undefined
  const url = await startDatabaseProxy(databaseUrl, (client, postgres) => {
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
    closeTogether(client, postgres)
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
