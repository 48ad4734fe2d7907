import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { type Fault, nameOf } from './fault.ts'

/** Opens a list with a text for each fault. Earlier runs wrote this list, so that later runs take less time. */
export function openList(path: string) {
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : []
  const texts = new Map(lines.map((line) => line.split('\t') as [string, string]))
  return {
    textOf: (fault: Fault): string | undefined => texts.get(nameOf(fault)),
    /** Writes the list after each fault, so that a stopped run loses nothing. */
    set(fault: Fault, text: string): void {
      texts.set(nameOf(fault), text)
      const sorted = [...texts].map((pair) => pair.join('\t')).toSorted()
      writeFileSync(path, sorted.map((line) => `${line}\n`).join(''))
    },
  }
}
