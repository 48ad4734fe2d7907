import type { Loss } from './losses.ts'
import type { Attempt } from './witness.ts'
import type { Span } from './witness-rates.ts'
import type { Write } from './yardstick.ts'

/** What a loss was like for whoever booked, in seconds. */
export interface Recovery {
  loss: Loss
  /** From the loss until somebody was told to try again, and how long anybody waited for being told so, or for being booked. */
  refused: number
  slowestNo: number
  slowestYes: number
  /** From when it could be made good until there was a primary, a change was possible at all, and a booking was acknowledged. */
  promoted: number
  writable: number
  booked: number
  sincePromotion: number
  /** What of that the server added. */
  own: number
  /** Whether a standby that was left had more than the one that was promoted: it is of no use until it is rewound. */
  isRewound: boolean
  /** From when the first thing was taken away until all of it was there again. */
  down: Span
}

interface Times {
  /** When the first thing was taken away. */
  beganAt: number
  lostAt: number
  /** From when on it can be made good: at once, or when what was lost is there again. */
  overAt: number
  promotedAt: number
  /** When all that was lost had come back, and followed. */
  wholeAt: number
  isRewound: boolean
}

/** Milliseconds without anything written, when several write all the time: nobody can. */
const STALL = 1_000

/**
 * For how long, until this was booked, nobody could write who has no server of ours. One write may slip through before the others can:
 * a primary that was lost and comes back with what no standby has is counted as one for a moment, until it is rewound.
 */
function unwritable(writes: readonly Write[], overAt: number, bookedAt: number): number {
  const ends = writes.filter(({ began }) => began > overAt).map(({ ended }) => ended)
  const first = ends[0] ?? overAt
  return ends.slice(1).reduce((sum, ended, nth) => {
    const last = ends[nth] ?? ended
    return ended - last > STALL ? sum + Math.max(0, Math.min(ended, bookedAt) - last) : sum
  }, first - overAt)
}

export function recoveryOf(
  loss: Loss,
  attempts: readonly Attempt[],
  writes: readonly Write[],
  { beganAt, lostAt, overAt, promotedAt, wholeAt, isRewound }: Times,
): Recovery {
  const endOf = ({ at, took }: Attempt) => at + took
  const during = attempts.filter((one) => endOf(one) > lostAt)
  const least = (some: Attempt[]) => some.map(endOf).reduce((one, other) => Math.min(one, other), Infinity)
  const bookedAt = least(during.filter(({ status, at }) => status === 201 && at > overAt))
  const couldAt = overAt + unwritable(writes, overAt, bookedAt)
  const since = (from: number, at: number) => (at - from) / 1_000
  return {
    loss,
    refused: since(lostAt, least(during.filter(({ status }) => status === 503))),
    slowestNo: slowest(during.filter(({ status }) => status !== 201)),
    slowestYes: slowest(during.filter(({ status }) => status === 201)),
    promoted: since(overAt, promotedAt),
    writable: since(overAt, couldAt),
    booked: since(overAt, bookedAt),
    sincePromotion: Math.max(0, since(promotedAt, bookedAt)),
    own: Math.max(0, since(couldAt, bookedAt)),
    isRewound,
    down: { from: beganAt, until: wholeAt },
  }
}

const slowest = (some: readonly Attempt[]) =>
  some.map(({ took }) => took).reduce((one, other) => Math.max(one, other), 0) / 1_000

export const summary = ({ loss, isRewound, ...took }: Recovery): string =>
  `${loss.name}: told to try again after ${seconds(took.refused)}, at most ${seconds(took.slowestNo)} of waiting for a no and ${seconds(took.slowestYes)} for a yes; promoted after ${seconds(took.promoted)}, ` +
  `writable after ${seconds(took.writable)}, booked after ${seconds(took.booked)}: from promotion to booking ${seconds(took.sincePromotion)}, the servers' own part is ${seconds(took.own)}${isRewound ? '; a standby had to be rewound before' : ''}`

export function average(recoveries: readonly Recovery[]): string {
  const medians = (name: string, some: readonly Recovery[]) => {
    if (some.length === 0) return []
    const of = (what: Took) => seconds(medianOf(some, what))
    const told = `told to try again after ${of('refused')}, longest wait for a no ${of('slowestNo')}, for a yes ${of('slowestYes')}`
    const back = `promoted ${of('promoted')}, writable ${of('writable')}, booked ${of('booked')}`
    const parts = `from promotion to booking ${of('sincePromotion')}, servers' own part ${of('own')}`
    return [`median of ${some.length} ${name}: ${told}, ${back}, ${parts}`]
  }
  const { all, heard, silent, lasting } = sorted(recoveries)
  return [
    ...medians('losses', all),
    ...medians('that somebody hears of', heard),
    ...medians('without a word', silent),
    ...medians('of room, once it is back', lasting),
  ].join('\n')
}

type Took = Exclude<keyof Recovery, 'loss' | 'isRewound' | 'down'>

/**
 * Those that end when another takes over, by whether somebody hears of them, and whether there is a standby then, without which nothing
 * is acknowledged; and those that last until there is room.
 */
function sorted(recoveries: readonly Recovery[]) {
  const all = recoveries.filter(({ loss }) => !loss.untilOver)
  return {
    all,
    heard: all.filter(({ loss }) => !loss.isSilent),
    silent: all.filter(({ loss }) => loss.isSilent),
    followed: all.filter(({ loss, isRewound }) => !loss.takesLastStandby && !isRewound),
    unfollowed: all.filter(({ loss, isRewound }) => loss.takesLastStandby || isRewound),
    lasting: recoveries.filter(({ loss }) => loss.untilOver),
  }
}

interface Demand {
  what: Took
  called: string
  /** Seconds. */
  most: number
  of: keyof ReturnType<typeof sorted>
  /** Whether of each loss, instead of most. */
  isOfEach?: true
}

/** Whoever hears of a loss tells it at once, and a silent one takes as long as a lease lasts. */
const demanded: Demand[] = [
  {
    what: 'refused',
    called: 'from a loss that is heard of to being told to try again',
    most: 1,
    of: 'heard',
    isOfEach: true,
  },
  { what: 'slowestNo', called: 'the longest wait for a no', most: 5.5, of: 'all' },
  { what: 'sincePromotion', called: 'from promotion to booking', most: 5, of: 'followed', isOfEach: true },
  { what: 'sincePromotion', called: 'from a promotion without a standby', most: 10, of: 'unfollowed', isOfEach: true },
  { what: 'booked', called: 'from the loss to a booking', most: 10, of: 'all' },
  { what: 'booked', called: 'from a loss that is heard of to a booking', most: 10, of: 'heard' },
  { what: 'booked', called: 'from a silent loss to a booking', most: 30, of: 'silent' },
  { what: 'booked', called: 'from when there is room to a booking', most: 10, of: 'lasting' },
  { what: 'own', called: "the servers' own part", most: 2, of: 'all', isOfEach: true },
]

/**
 * What anybody may have to wait: for a dead primary five seconds, and a moment more of a busy machine; for one that lives and has no
 * standby or no room, as long as a statement may take, and a turn before it.
 */
const mostOf = ({ loss }: Recovery) => (loss.untilOver || loss.livesOn ? 20 : 6)

/** What took longer than is demanded, and by which losses anybody had to wait for too long. */
export function tooSlow(recoveries: readonly Recovery[]): string[] {
  const kinds = sorted(recoveries)
  const times = demanded.flatMap(({ what, called, most, of, isOfEach }) => {
    const took = isOfEach ? Math.max(...kinds[of].map((one) => one[what])) : medianOf(kinds[of], what)
    return took > most ? [`${called}: ${seconds(took)}, not ${seconds(most)}`] : []
  })
  const waits = recoveries.flatMap((one) => {
    const [took, most] = [Math.max(one.slowestNo, one.slowestYes), mostOf(one)]
    return took > most ? [`${one.loss.name}: somebody waited for ${seconds(took)}, not ${seconds(most)}`] : []
  })
  return [...times, ...waits]
}

function medianOf(some: readonly Recovery[], what: Took): number {
  const times = some.map((one) => one[what]).sort((one, other) => one - other)
  return times[times.length >> 1] ?? Number.NaN
}

const seconds = (time: number) => `${time.toFixed(1)} s`
