export type Bar = ({ atLeast: number } | { atMost: number } | { under: number }) & { stopped?: AcceptedMiss }

/** A bar that is missed on purpose, because the next improvement would cost too much. Beyond `at` it is missed for real. */
export interface AcceptedMiss {
  at: number
  why: string
}

/** Prints a figure, its bar, and the result. After a miss the process continues and exits with an error at its end. */
export function bar(what: string, figure: number, wanted: Bar, unit = ''): void {
  const { text, isGood } = judge(what, figure, wanted, unit)
  console.log(text)
  if (!isGood) process.exitCode = 1
}

export function judge(what: string, figure: number, wanted: Bar, unit = ''): { text: string; isGood: boolean } {
  const [word, limit, isMet] = read(figure, wanted)
  const valueText = (value: number) => `${Number(value.toPrecision(3))} ${unit}`.trimEnd()
  const says = (end: string) => `${what}: ${valueText(figure)}, wanted ${word} ${valueText(limit)}: ${end}`
  if (isMet) return { text: says('met'), isGood: true }
  const { stopped } = wanted
  const isFloor = 'atLeast' in wanted
  if (!stopped || !(isFloor ? figure >= stopped.at : figure <= stopped.at))
    return { text: says('MISSED'), isGood: false }
  const side = isFloor ? 'above' : 'below'
  return { text: says(`not met, and left so ${side} ${valueText(stopped.at)} (${stopped.why})`), isGood: true }
}

/** NaN, a missing figure, misses every bar. */
function read(figure: number, wanted: Bar): [string, number, boolean] {
  if ('atLeast' in wanted) return ['at least', wanted.atLeast, figure >= wanted.atLeast]
  if ('atMost' in wanted) return ['at most', wanted.atMost, figure <= wanted.atMost]
  return ['under', wanted.under, figure < wanted.under]
}
