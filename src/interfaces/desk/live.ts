import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { lastGivenUp, whichLapse } from '../../domain/desk/inbox/inbox-queries.ts'
import { onlyRow } from '../../infra/db/only-row.ts'
import type { Means } from '../../protocol/means.ts'

/** Once for all desks that are open, and not at all when none is: however many there are, the database is asked as often. */
const LOOK_MS = 500
/** A desk comes again by itself; by then it may be somebody's who may not look any more. */
const LONGEST_MS = 5 * 60_000
const MOST_DESKS = 200
/** Open at once by one person, who would otherwise have them all: more than anybody looks at. */
const MOST_OF_ONE = 20

interface Line {
  staffId: string
  /** What it was told of last, or showed when it came. */
  seen: string | undefined
}

/** Tells the desks that are open that something was done, whoever did it on whichever server. */
export function liveDesks(scope: FastifyInstance, { db, log, clock }: Means<'db' | 'log' | 'clock'>) {
  const desks = new Map<ServerResponse, Line>()
  let last: string | undefined
  let isLooking = false

  function tell(desk: ServerResponse, line: Line) {
    if (last === undefined || line.seen === last) return
    line.seen = last
    // A browser that comes again says which it had.
    desk.write(`id: ${last}\ndata: new\n\n`)
  }

  async function look() {
    try {
      last = await newest(db, clock())
      for (const [desk, line] of desks) tell(desk, line)
    } catch (error) {
      log.warn({ err: error }, 'Open desks are not told what is new.')
    }
    isLooking = desks.size > 0
    if (isLooking) setTimeout(look, LOOK_MS)
    else last = undefined
  }

  /** A line that is not read closes late or never, and whoever writes to one that has ended ends the server. */
  function end(desk: ServerResponse) {
    desks.delete(desk)
    desk.end()
  }

  scope.addHook('preClose', async () => {
    for (const desk of desks.keys()) end(desk)
  })

  return {
    /** What is the newest for a page that is about to be read: its desk need not be told of that. */
    newest: async (): Promise<string> => last ?? newest(db, clock()),
    /** Whether there is room for another desk of theirs. */
    hasRoom(staffId: string) {
      const own = [...desks.values()].filter((line) => line.staffId === staffId)
      return desks.size < MOST_DESKS && own.length < MOST_OF_ONE
    },
    add(desk: ServerResponse, line: Line) {
      // Who hung up meanwhile closes no second time, and would keep a place for ever.
      if (desk.destroyed) return
      desks.set(desk, line)
      const timer = setTimeout(() => end(desk), LONGEST_MS)
      desk.once('close', () => {
        clearTimeout(timer)
        desks.delete(desk)
      })
      // The first line tells the browser that it is connected, and how soon to come again.
      desk.write('retry: 2000\n\n')
      tell(desk, line)
      if (isLooking) return
      isLooking = true
      void look()
    },
  }
}

/** The newest entry of the journal, and what of the inbox stands in none: messages that were given up, offers about to end. */
async function newest(db: Means<'db'>['db'], now: Date): Promise<string> {
  const found = await sql<{ newest: string }>`
    select concat(
      (select coalesce(max(number), 0) from changes), '-', md5(concat(${lastGivenUp}, ' ', ${whichLapse(now)}))
    ) as newest`.execute(db)
  return onlyRow(found).newest
}
