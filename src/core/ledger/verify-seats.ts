import type { Database } from '../../infra/db/database.ts'
import { allSessions, seatEntries } from './journal-replay-queries.ts'
import { addFinding, type Findings } from './verification-findings.ts'

export interface SeatsVerified {
  entries: number
  sessions: number
}

interface Count {
  capacity: number
  taken: number
}

/**
 * Replays the journal of all taken and released seats in order, and compares the result with the class sessions. Also
 * checks that the number of taken seats was never higher than the capacity.
 */
export async function verifySeats(db: Database, findings: Findings): Promise<SeatsVerified> {
  const sessions = new Map<string, Count>()
  let entries = 0
  for await (const { key, session, event, spots } of seatEntries(db)) {
    entries++
    const count = sessions.get(session) ?? { capacity: 0, taken: 0 }
    sessions.set(session, count)
    if (event === 'capacity') count.capacity = spots
    else count.taken += event === 'taken' ? spots : -spots
    if (event !== 'ended' && count.taken > count.capacity)
      addFinding(
        findings,
        `seat_journal ${key}: session ${session} has ${count.taken} places allocated, but its capacity is ${count.capacity}.`,
      )
    if (count.taken < 0)
      addFinding(findings, `seat_journal ${key}: session ${session} releases places that were not allocated.`)
  }
  const known = sessions.size
  for await (const { key: id, ...now } of allSessions(db)) {
    const { capacity, taken } = sessions.get(id) ?? { capacity: 0, taken: 0 }
    if (capacity !== now.capacity || taken !== now.taken)
      addFinding(
        findings,
        `sessions ${id}: ${now.taken} of ${now.capacity} places are allocated, but by the journal ${taken} of ${capacity}.`,
      )
    sessions.delete(id)
  }
  for (const [id, { taken }] of sessions)
    if (taken !== 0) addFinding(findings, `seat_journal: session ${id} was deleted with ${taken} places allocated.`)
  return { entries, sessions: known }
}
