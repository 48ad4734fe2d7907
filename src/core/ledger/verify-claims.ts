import type { Database } from '../../infra/db/database.ts'
import { Timeline } from './claimed-periods.ts'
import { allClaims, type Claimed, claimEntries } from './journal-replay-queries.ts'
import { addFinding, type Findings } from './verification-findings.ts'

export interface ClaimsVerified {
  entries: number
  resources: number
}

/**
 * Replays the journal of all claim changes in order, and compares the result with the table `claims`. A claim says that
 * a booking or another holder occupies a person, room or item.
 */
export async function verifyClaims(db: Database, findings: Findings): Promise<ClaimsVerified> {
  const timelines = new Map<string, Timeline>()
  const live = new Map<string, Claimed>()
  let entries = 0
  for await (const entry of claimEntries(db)) {
    entries++
    const timeline = timelines.get(entry.resource) ?? new Timeline()
    timelines.set(entry.resource, timeline)
    const before = live.get(entry.claim)
    if (entry.event === 'taken') {
      const rival = timeline.insert(entry)
      if (rival)
        addFinding(findings, `${at(entry)}: ${described(entry)}, but overlaps claim ${rival.claim} ${time(rival)}.`)
      if (before) addFinding(findings, `${at(entry)}: claim ${entry.claim} is made again before its release.`)
      live.set(entry.claim, entry)
    } else if (!before || !isSame(before, entry))
      addFinding(
        findings,
        `${at(entry)}: claim ${entry.claim} is released, but was not made for this resource and time.`,
      )
    else {
      timeline.remove(entry)
      live.delete(entry.claim)
    }
  }
  await compare(db, live, findings)
  return { entries, resources: timelines.size }
}

async function compare(db: Database, live: Map<string, Claimed>, findings: Findings): Promise<void> {
  for await (const claim of allClaims(db)) {
    const known = live.get(claim.claim)
    if (!known || !isSame(known, claim))
      addFinding(findings, `claims ${claim.claim}: ${described(claim)}, but the journal has no such claim.`)
    live.delete(claim.claim)
  }
  for (const entry of live.values())
    addFinding(findings, `${at(entry)}: ${described(entry)} and not released, but claims has no row ${entry.claim}.`)
}

const isSame = (one: Claimed, other: Claimed) =>
  one.resource === other.resource && one.from === other.from && one.to === other.to

const at = ({ key }: Claimed) => `claim_journal ${key}`

const described = (claim: Claimed) => `${claim.resource} is claimed ${time(claim)} for ${claim.holder}`

const time = ({ from, to }: { from: number; to: number }) => `from ${instant(from)} to ${instant(to)}`

const instant = (milliseconds: number) =>
  Number.isFinite(milliseconds) ? new Date(milliseconds).toISOString() : 'no end'
