export type Target = ({ atLeast: number } | { atMost: number } | { under: number }) & { stopped?: AcceptedMiss }

/**
 * A target that the project deliberately does not reach, because more speed would cost too much. A result worse than
 * `at` is still a failure.
 */
export interface AcceptedMiss {
  at: number
  why: string
}

/**
 * Prints a result, its target, and whether the result reaches the target. After a miss, the process continues, but its
 * exit code is 1.
 */
export function checkTarget(what: string, figure: number, wanted: Target, unit = ''): void {
  const { text, isGood } = judge(what, figure, wanted, unit)
  console.log(text)
  if (!isGood) process.exitCode = 1
}

export function judge(what: string, figure: number, wanted: Target, unit = ''): { text: string; isGood: boolean } {
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

/** If the value is NaN, because it is missing, it misses every target. */
function read(figure: number, wanted: Target): [string, number, boolean] {
  if ('atLeast' in wanted) return ['at least', wanted.atLeast, figure >= wanted.atLeast]
  if ('atMost' in wanted) return ['at most', wanted.atMost, figure <= wanted.atMost]
  return ['under', wanted.under, figure < wanted.under]
}
