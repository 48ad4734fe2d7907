import { readFileSync } from 'node:fs'
import type { Fault } from './fault.ts'

/** Which test files come by each fault, as they said in `seen` while all of them ran; the likeliest to notice first. */
export function testsOf(faults: readonly Fault[], seen: string, passed: Map<string, number>, patience: number) {
  const visits = readFileSync(seen, 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .filter(([test = '']) => passed.has(test))
  const by = Map.groupBy(visits, ([, nth]) => faults[Number(nth)])
  const visitorsOf = (fault: Fault) => (by.get(fault) ?? []).map(([test = '']) => test)
  const ofFile = (file: string) => faults.filter((one) => one.file === file).flatMap(visitorsOf)
  const ofRoom = (fault: Fault) => [...passed.keys()].filter((test) => isAtHome(test, fault))
  return (fault: Fault): string[] => {
    const candidates = fault.atLoad ? [...ofFile(fault.file), ...ofRoom(fault)] : visitorsOf(fault)
    const rank = (test: string) => (passed.get(test) ?? 0) + (isAtHome(test, fault) ? 0 : patience)
    let left = patience
    return [...new Set(candidates)]
      .sort((one, other) => rank(one) - rank(other))
      .filter((test, nth) => {
        left -= passed.get(test) ?? 0
        return nth === 0 || left >= 0
      })
  }
}

/** The tests mirror the rooms. */
const isAtHome = (test: string, { file }: Fault) => test.split('/')[1] === file.split('/')[1]
