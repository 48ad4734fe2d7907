import { readFileSync } from 'node:fs'
import type { Fault } from './fault.ts'

/**
 * Returns a function that finds the test files for a fault. The full test run recorded in `seen` which test file
 * reaches which fault. Tests that will most probably fail come first.
 */
export function testsOf(faults: readonly Fault[], seen: string, passed: Map<string, number>, patience: number) {
  const visits = readFileSync(seen, 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .filter(([test = '']) => passed.has(test))
  const by = Map.groupBy(visits, ([, nth]) => faults[Number(nth)])
  const visitorsOf = (fault: Fault) => (by.get(fault) ?? []).map(([test = '']) => test)
  const ofFile = (file: string) => faults.filter((one) => one.file === file).flatMap(visitorsOf)
  const ofRoom = (fault: Fault) => [...passed.keys()].filter((test) => isInSameFolder(test, fault))
  const ofDocuments = [...passed.keys()].filter(isOfDocuments)
  return (fault: Fault): string[] => {
    const candidates = fault.atLoad ? [...ofDocuments, ...ofFile(fault.file), ...ofRoom(fault)] : visitorsOf(fault)
    const distance = (test: string) =>
      isOfDocuments(test) || isNamesake(test, fault) ? 0 : isInSameFolder(test, fault) ? 1 : 2
    const rank = (test: string) => (passed.get(test) ?? 0) + distance(test) * MAX_FILE_MS
    let left = patience
    return [...new Set(candidates)]
      .sort((one, other) => rank(one) - rank(other))
      .filter((test, nth) => {
        // A test file with a similar name as the source file always runs, even after the time limit.
        if (distance(test) > 0) left -= passed.get(test) ?? 0
        return nth === 0 || left >= 0
      })
  }
}

const MAX_FILE_MS = 10 * 60_000

/** Whether the names of a test file and a source file have a word in common, such as `profiles` and `profile`. */
function isNamesake(test: string, { file }: Fault): boolean {
  const [testWords, sourceWords] = [test, file].map(wordsIn)
  return (testWords ?? []).some((word) =>
    sourceWords?.some((other) => word.startsWith(other) || other.startsWith(word)),
  )
}

const wordsIn = (path: string) =>
  (path.split('/').at(-1) ?? '').split(/[.-]/).filter((word) => word.length > 3 && word !== 'test')

/** Whether the test file is in the folder of the fault, and has a word of its file in the name. */
export const isOfItsFolder = (test: string, fault: Fault): boolean =>
  isNamesake(test, fault) && isInSameFolder(test, fault)

const LAYERS = ['interfaces', 'domain', 'core', 'infra']

/** Whether the test folder has the name of the source folder. Example: `test/waitlist` tests `src/domain/waitlist`. */
function isInSameFolder(test: string, { file }: Fault): boolean {
  const [testFolders, sourceFolders] = [test, file].map(foldersIn)
  return (testFolders ?? []).some((name) => sourceFolders?.includes(name))
}

const foldersIn = (path: string) =>
  path
    .split('/')
    .slice(1, -1)
    .filter((name) => !LAYERS.includes(name))

/**
 * Whether the file tests the published documents. The server generates these documents from the operations when it
 * loads.
 */
const isOfDocuments = (test: string) => test.startsWith('test/bindings/')
