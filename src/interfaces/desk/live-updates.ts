import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { conflictsKey, lapsingOffersKey, lastFailureKey } from '../../domain/desk/inbox/inbox-queries.ts'
import { onlyRow } from '../../infra/db/database.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'

/**
 * The time between two checks for changes, in milliseconds. One check serves all open desk pages, so more pages cause
 * no more load in the database. While no page is open, the server makes no checks.
 */
const POLL_INTERVAL_MS = 500
/**
 * The server ends the live stream (server-sent events) to a desk page after this many milliseconds. The browser then
 * reconnects, and the server checks again whether the staff member is signed in.
 */
const MAX_STREAM_MS = 5 * 60_000
const MAX_STREAMS = 200
/**
 * The maximum number of live streams of one staff member. Without this limit, one person could use all streams of the
 * server.
 */
const MAX_STREAMS_PER_STAFF = 20

interface Stream {
  staffId: string
  /** The id of the newest change that this open desk page already shows. */
  seen: string | undefined
}

/**
 * Sends a message to all open desk pages after each change. The change can come from any staff member and any server
 * process.
 */
export function liveDesks(scope: FastifyInstance, { db, log, clock }: Dependencies<'db' | 'log' | 'clock'>) {
  const desks = new Map<ServerResponse, Stream>()
  let last: string | undefined
  let isLooking = false

  function tell(desk: ServerResponse, line: Stream) {
    if (last === undefined || line.seen === last) return
    line.seen = last
    // The id of the message is the id of the newest change. When the browser reconnects, it sends this id back in the
    // header `Last-Event-ID`.
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

  /**
   * Ends the live stream of a desk page, and removes the page from the list at once. The close event can come late or
   * never. Until then, a write to the ended stream would crash the server.
   */
  function end(desk: ServerResponse) {
    desks.delete(desk)
    desk.end()
  }

  scope.addHook('preClose', async () => {
    for (const desk of desks.keys()) end(desk)
  })

  return {
    /**
     * Returns the id of the newest change. The server reads this id before it reads the data of a page. Therefore the
     * page includes this change.
     */
    newest: async (): Promise<string> => last ?? newestChange(db, clock()),
    /**
     * Whether the staff member can open another live stream. Each staff member and the whole server have a maximum
     * number of streams.
     */
    canConnect(staffId: string) {
      const streamsOfStaff = [...desks.values()].filter((line) => line.staffId === staffId)
      return desks.size < MAX_STREAMS && streamsOfStaff.length < MAX_STREAMS_PER_STAFF
    },
    add(desk: ServerResponse, line: Stream) {
      // If the browser has already disconnected, no close event follows. Without this check, the desk page would stay
      // in the list forever.
      if (desk.destroyed) return
      desks.set(desk, line)
      const timer = setTimeout(() => end(desk), MAX_STREAM_MS)
      desk.once('close', () => {
        clearTimeout(timer)
        desks.delete(desk)
      })
      // The first line opens the live stream. It also tells the browser to reconnect 2,000 milliseconds after a lost
      // connection.
      desk.write('retry: 2000\n\n')
      tell(desk, line)
      if (isLooking) return
      isLooking = true
      void checkForChanges()
    },
  }
}

/**
 * Returns a text that identifies the newest change. The text contains the number of the last entry in the audit log
 * (the list of all changes). It also contains a digest of undelivered messages, expiring offers and busy times of
 * other calendars, because they have no entry in this log.
 */
async function newestChange(db: Dependencies<'db'>['db'], now: Date): Promise<string> {
  const found = await sql<{ newest: string }>`
    select concat(
      (select coalesce(max(number), 0) from changes), '-', md5(concat(
        ${lastFailureKey}, ' ', ${lapsingOffersKey(now)}, ' ', ${conflictsKey}))
    ) as newest`.execute(db)
  return onlyRow(found).newest
}
