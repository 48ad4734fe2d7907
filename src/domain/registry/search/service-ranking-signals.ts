import { DAY } from '../../../infra/time/time-units.ts'
import type { AvailabilityHint, RankSignals } from '../../../protocol/types.generated.ts'
import { firstFreeStart, type SlotRuler, startAt } from '../../catalog/decode-slot-bitmap.ts'
import { usableHint } from '../indexing/usable-availability-hint.ts'
import type { WantedTime } from './requested-start-times.ts'

/**
 * The value `soonness` of a search result shows how soon the service is free. The value falls from 1 (free now) to 0
 * over this time, in milliseconds.
 */
export const HORIZON_MS = 56 * DAY

interface Scoring {
  relevance: number
  /** The instant when the caller read the first page of the search, in milliseconds since 1970. */
  at: number
  /** The times that the buyer wants. Undefined if the search names no times. */
  wanted: readonly WantedTime[] | undefined
}

export function rankSignals(hint: AvailabilityHint | undefined, { relevance, at, wanted }: Scoring): RankSignals {
  const ruler = usableHint(hint, at)?.ruler
  if (!ruler) return { relevance, coverage: null, density: null, soonness: null, hint_usable: false }
  const indexes = wanted?.flatMap((time) => wantedIndexes(ruler, time) ?? [])
  return {
    relevance,
    coverage: indexes && indexes.length > 0 ? freeShare(ruler, indexes) : null,
    density: freeShare(ruler, [[0, ruler.count - 1]]),
    soonness: soonness(ruler, { at, wanted, indexes }),
    hint_usable: true,
  }
}

type Indexes = readonly [first: number, last: number]

/**
 * Returns the positions of the wanted start times among the possible start times of a service. The result is undefined
 * if no wanted start time is possible.
 */
function wantedIndexes({ from, interval, count }: SlotRuler, wanted: WantedTime): [Indexes] | undefined {
  const next = Math.ceil((wanted.from - from) / interval)
  const previous = Math.floor((wanted.to - from) / interval)
  const [low, high] = wanted.isMoment ? [next, next] : [Math.max(next, 0), Math.min(previous, count - 1)]
  return 0 <= low && low <= high && high < count ? [[low, high]] : undefined
}

/**
 * Computes the share of the wanted start times that are free, from 0 to 1. A start time in several wanted periods
 * counts once.
 */
function freeShare({ open }: SlotRuler, indexes: readonly Indexes[]): number {
  const whole = joined(indexes)
  const free = whole.map(([low, high]) =>
    open.reduce((sum, [first, last]) => sum + Math.max(0, Math.min(high, last) - Math.max(low, first) + 1), 0),
  )
  return sumOf(free) / sumOf(whole.map(([low, high]) => high - low + 1))
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0)

function joined(indexes: readonly Indexes[]): Indexes[] {
  const whole: Indexes[] = []
  for (const one of indexes.toSorted(([low], [other]) => low - other)) {
    const last = whole.at(-1)
    if (last && one[0] <= last[1]) whole[whole.length - 1] = [last[0], Math.max(last[1], one[1])]
    else whole.push(one)
  }
  return whole
}

/**
 * Computes a number from 0 to 1 that shows how soon the first suitable start time is. 1 means now, or at the beginning
 * of the wanted times. 0 means never, or at least 56 days later.
 */
function soonness(
  ruler: SlotRuler,
  { at, wanted, indexes = [] }: Pick<Scoring, 'at' | 'wanted'> & { indexes: readonly Indexes[] | undefined },
): number {
  const anchor = wanted && wanted.length > 0 ? Math.min(...wanted.map(({ from }) => from)) : at
  const first = wanted ? firstWanted(ruler, indexes) : firstFreeStart(ruler, at)
  return first === undefined ? 0 : Math.max(0, 1 - Math.max(0, first - anchor) / HORIZON_MS)
}

function firstWanted(ruler: SlotRuler, indexes: readonly Indexes[]): number | undefined {
  const free = indexes.flatMap(([low, high]) => {
    const run = ruler.open.find(([, last]) => last >= low)
    const index = run && Math.max(run[0], low)
    return index !== undefined && index <= high ? [startAt(ruler, index)] : []
  })
  return free.length > 0 ? Math.min(...free) : undefined
}
