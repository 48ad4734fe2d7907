import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { type Fault, nameOf } from './fault.ts'

/**
 * Opens the list of the test file that found each fault in an earlier run. The next run tries this file first, because
 * it will most probably fail again.
 */
export function openFinders(path: string) {
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : []
  const finders = new Map(lines.map((line) => line.split('\t') as [string, string]))
  return {
    finderOf: (fault: Fault): string | undefined => finders.get(nameOf(fault)),
    /** Writes the file after each fault, so that a stopped run loses nothing. */
    add(fault: Fault, testFile: string): void {
      finders.set(nameOf(fault), testFile)
      const sorted = [...finders].map((pair) => pair.join('\t')).toSorted()
      writeFileSync(path, sorted.map((line) => `${line}\n`).join(''))
    },
  }
}
