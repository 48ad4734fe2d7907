import { setTimeout } from 'node:timers/promises'
import pg from 'pg'

/** Milliseconds of `performance.now()`. */
export interface Write {
  began: number
  ended: number
}

/** Somebody who writes a row over and over, each time on a new connection and without a server of ours: as soon as can be. */
export interface Yardstick {
  /** What it has written, in the order in which that was done. */
  writes: Write[]
  stop(): Promise<void>
}

const EVERY = 250
const PATIENCE = 2_000
/** More of them would keep the servers from the pooler's connections. */
const AT_ONCE = 3

export async function startYardstick(url: string): Promise<Yardstick> {
  const writes: Write[] = []
  const ask = async (text: string) => {
    const began = performance.now()
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: PATIENCE,
      query_timeout: PATIENCE,
    })
    client.on('error', () => {})
    try {
      await client.connect()
      await client.query(text)
      writes.push({ began, ended: performance.now() })
    } finally {
      void client.end().catch(() => {})
    }
  }
  await ask('create table yardstick (row integer)')
  let isOver = false
  const run = async () => {
    while (!isOver) {
      await ask('insert into yardstick values (1)').catch(() => {})
      await setTimeout(EVERY)
    }
  }
  const running = Promise.all(Array.from({ length: AT_ONCE }, run))
  return {
    writes,
    async stop() {
      isOver = true
      await running
    },
  }
}
