import type { Loss } from './losses.ts'
import type { Attempt } from './witness.ts'

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
  /** What of that the server added. */
  own: number
}

interface Times {
  lostAt: number
  /** From when on it can be made good: at once, or when what was lost is there again. */
  overAt: number
  promotedAt: number
  /** When somebody without a server of ours could write. */
  writableAt: number
}

export function recoveryOf(
  loss: Loss,
  attempts: readonly Attempt[],
  { lostAt, overAt, promotedAt, writableAt }: Times,
): Recovery {
  const endOf = ({ at, took }: Attempt) => at + took
  const during = attempts.filter((one) => endOf(one) > lostAt)
  const least = (some: Attempt[]) => some.map(endOf).reduce((one, other) => Math.min(one, other), Infinity)
  const bookedAt = least(during.filter(({ status, at }) => status === 201 && at > overAt))
  const since = (from: number, at: number) => (at - from) / 1_000
  return {
    loss,
    refused: since(lostAt, least(during.filter(({ status }) => status === 503))),
    slowestNo: slowest(during.filter(({ status }) => status !== 201)),
    slowestYes: slowest(during.filter(({ status }) => status === 201)),
    promoted: since(overAt, promotedAt),
    writable: since(overAt, writableAt),
    booked: since(overAt, bookedAt),
    own: Math.max(0, bookedAt - writableAt) / 1_000,
  }
}

const slowest = (some: readonly Attempt[]) =>
  some.map(({ took }) => took).reduce((one, other) => Math.max(one, other), 0) / 1_000

export const summary = ({ loss, refused, slowestNo, slowestYes, promoted, writable, booked, own }: Recovery): string =>
  `${loss.name}: told to try again after ${seconds(refused)}, at most ${seconds(slowestNo)} of waiting for a no and ${seconds(slowestYes)} for a yes; promoted after ${seconds(promoted)}, ` +
  `writable after ${seconds(writable)}, booked after ${seconds(booked)}: the servers' own part is ${seconds(own)}`

export function average(recoveries: readonly Recovery[]): string {
  const medians = (name: string, some: readonly Recovery[] = []) => {
    if (some.length === 0) return []
    const of = (what: 'promoted' | 'writable' | 'booked' | 'own') => seconds(median(some.map((one) => one[what])))
    const parts = `promoted ${of('promoted')}, writable ${of('writable')}, booked ${of('booked')}, servers' own part ${of('own')}`
    return [`median of ${some.length} ${name}: ${parts}`]
  }
  const [ended, lasted] = [false, true].map((lasts) => recoveries.filter(({ loss }) => !loss.untilOver !== lasts))
  const [silent, heard] = [true, false].map((is) => ended?.filter(({ loss }) => Boolean(loss.isSilent) === is))
  return [
    ...medians('losses', ended),
    ...medians('that somebody hears of', heard),
    ...medians('without a word', silent),
    ...medians('of room, once it is back', lasted),
  ].join('\n')
}

/** Whether of most losses so little is noticed as is demanded: ten seconds, of which the servers take two. */
export const isSoon = (recoveries: readonly Recovery[]): boolean => {
  const ended = recoveries.filter(({ loss }) => !loss.untilOver)
  return median(ended.map(({ booked }) => booked)) <= 10 && median(ended.map(({ own }) => own)) <= 2
}

const median = (numbers: number[]) => numbers.sort((one, other) => one - other)[numbers.length >> 1] ?? Number.NaN

const seconds = (time: number) => `${time.toFixed(1)} s`
