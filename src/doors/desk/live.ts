import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { onlyRow } from '../../db/only-row.ts'
import { lastGivenUp, whichLapse } from '../../desk/inbox/inbox-queries.ts'
import type { Means } from '../../protocol/means.ts'

/** Once for all desks that are open, and not at all when none is: however many there are, the database is asked as often. */
const LOOK_MS = 500
/** A desk comes again by itself; by then it may be somebody's who may not look any more. */
const LONGEST_MS = 5 * 60_000
const MOST_DESKS = 200
/** Who comes may show a page that is older than what was noticed so long ago. */
const NEWS_MS = 2_000

/** Tells the desks that are open that something was done, whoever did it on whichever server. */
export function liveDesks(scope: FastifyInstance, { db, log, clock }: Means<'db' | 'log' | 'clock'>) {
  const desks = new Set<ServerResponse>()
  /** Nothing where nobody has looked for a while: whoever comes first is told in any case. */
  let last: (News & { noticed: number }) | undefined
  let isLooking = false

  const tell = (desk: ServerResponse, { number }: News) => desk.write(`data: ${number}\n\n`)

  async function look() {
    try {
      const news = await newest(db, clock())
      if (news.number !== last?.number || news.waiting !== last.waiting) {
        last = { ...news, noticed: performance.now() }
        for (const desk of desks) tell(desk, last)
      }
    } catch (error) {
      log.warn({ err: error }, 'open desks are not told what is new')
    }
    isLooking = desks.size > 0
    if (isLooking) setTimeout(look, LOOK_MS)
    else last = undefined
  }

  scope.addHook('preClose', async () => {
    for (const desk of desks) desk.end()
  })

  return {
    /** Whether there is room for another desk. */
    hasRoom: () => desks.size < MOST_DESKS,
    add(desk: ServerResponse) {
      desks.add(desk)
      const end = setTimeout(() => desk.end(), LONGEST_MS)
      desk.once('close', () => {
        clearTimeout(end)
        desks.delete(desk)
      })
      // The first line tells the browser that it is connected, and how soon to come again.
      desk.write('retry: 2000\n\n')
      if (last && performance.now() - last.noticed < NEWS_MS) tell(desk, last)
      if (isLooking) return
      isLooking = true
      void look()
    },
  }
}

/** The newest entry of the journal, and what of the inbox stands in none: messages that were given up, offers about to end. */
interface News {
  number: string
  waiting: string
}

async function newest(db: Means<'db'>['db'], now: Date): Promise<News> {
  const found = await sql<News>`
    select (select coalesce(max(number), 0)::text from changes) as number,
      concat(${lastGivenUp}, ' ', ${whichLapse(now)}) as waiting`.execute(db)
  return onlyRow(found)
}
