const MINUTE = 60_000
const WINDOW = 10 * MINUTE

/**
 * Until when whoever gave up holds at these instants, earliest first, has to wait for the next: so many within ten
 * minutes are free, then each doubles the wait, until for ten minutes after a wait none is given up.
 */
export function waitAfter(released: readonly number[], free: number): number | undefined {
  let rounds = 0
  let until = Number.NEGATIVE_INFINITY
  for (const [index, at] of released.entries()) {
    const earliest = released[index - free]
    const goesOn = at <= until + WINDOW
    const tooMany = earliest !== undefined && earliest > at - WINDOW
    rounds = goesOn || tooMany ? rounds + 1 : 0
    if (rounds > 0) until = at + 2 ** (rounds - 1) * MINUTE
  }
  return rounds > 0 ? until : undefined
}
