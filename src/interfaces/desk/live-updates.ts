import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { lapsingOffersKey, lastFailureKey } from '../../domain/desk/inbox/inbox-queries.ts'
import { onlyRow } from '../../infra/db/database.ts'
import type { Dependencies } from '../../protocol/dependencies.ts'

/** One poll serves all open desks, so the database load does not depend on their number. Without open desks it stops. */
const POLL_INTERVAL_MS = 500
/** The server ends each stream after this time. The browser reconnects, and the server checks the session again. */
const MAX_STREAM_MS = 5 * 60_000
const MAX_STREAMS = 200
/** Streams of one staff member. Without this limit one person could occupy all of them. */
const MAX_STREAMS_PER_STAFF = 20

interface Stream {
  staffId: string
  /** The newest change that this desk knows. */
  seen: string | undefined
}

/** Notifies open desks of each change, from any staff member and any server. */
export function liveDesks(scope: FastifyInstance, { db, log, clock }: Dependencies<'db' | 'log' | 'clock'>) {
  const desks = new Map<ServerResponse, Stream>()
  let last: string | undefined
  let isLooking = false

  function tell(desk: ServerResponse, line: Stream) {
    if (last === undefined || line.seen === last) return
    line.seen = last
    // A browser that reconnects sends this id back.
    desk.write(`id: ${last}\ndata: new\n\n`)
  }

  async function checkForChanges() {
    try {
      last = await newestChange(db, clock())
      for (const [desk, line] of desks) tell(desk, line)
    } catch (error) {
      log.warn({ err: error }, 'Open desks are not told what is new.')
    }
    isLooking = desks.size > 0
    if (isLooking) setTimeout(checkForChanges, POLL_INTERVAL_MS)
    else last = undefined
  }

  /** Removes the desk at once: the close event may come late or never, and a write after the end crashes the server. */
  function end(desk: ServerResponse) {
    desks.delete(desk)
    desk.end()
  }

  scope.addHook('preClose', async () => {
    for (const desk of desks.keys()) end(desk)
  })

  return {
    /** The newest change, read before a page. The desk of that page needs no message about it. */
    newest: async (): Promise<string> => last ?? newestChange(db, clock()),
    /** Whether this staff member may open another stream. */
    canConnect(staffId: string) {
      const streamsOfStaff = [...desks.values()].filter((line) => line.staffId === staffId)
      return desks.size < MAX_STREAMS && streamsOfStaff.length < MAX_STREAMS_PER_STAFF
    },
    add(desk: ServerResponse, line: Stream) {
      // The client is already gone. No close event will follow, and the desk would occupy its place forever.
      if (desk.destroyed) return
      desks.set(desk, line)
      const timer = setTimeout(() => end(desk), MAX_STREAM_MS)
      desk.once('close', () => {
        clearTimeout(timer)
        desks.delete(desk)
      })
      // The first line tells the browser that it is connected, and after how many milliseconds to reconnect.
      desk.write('retry: 2000\n\n')
      tell(desk, line)
      if (isLooking) return
      isLooking = true
      void checkForChanges()
    },
  }
}

/**
 * Identifies the newest change: the last audit log entry, plus the given-up messages and expiring offers, which have no
 * entry.
 */
async function newestChange(db: Dependencies<'db'>['db'], now: Date): Promise<string> {
  const found = await sql<{ newest: string }>`
    select concat(
      (select coalesce(max(number), 0) from changes), '-', md5(concat(${lastFailureKey}, ' ', ${lapsingOffersKey(now)}))
    ) as newest`.execute(db)
  return onlyRow(found).newest
}
