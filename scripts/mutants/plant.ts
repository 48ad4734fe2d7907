import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { Fault } from './fault.ts'

/**
 * The source of a module that each planted fault calls to learn whether it is turned on. With `PLANTED_SEEN`, the
 * module also records which test file reaches the fault.
 */
const PLANTED = `import { appendFileSync } from 'node:fs'
const { PLANTED, PLANTED_SEEN } = process.env
const seen = new Set<string>()
export function isPlanted(nth: number): boolean {
  const line = process.env.PLANTED_BY + ' ' + nth
  if (PLANTED_SEEN && !seen.has(line)) {
    seen.add(line)
    appendFileSync(PLANTED_SEEN, line + '\\n')
  }
  return PLANTED === String(nth)
}
`

/**
 * The source of a setup file that runs before each test file. Processes that a test starts inherit this environment
 * variable.
 */
const SETUP = `import { expect } from 'vitest'
process.env.PLANTED_BY = expect.getState().testPath?.slice(process.cwd().length + 1) ?? ''
`

const CONFIG = `import usual from './vitest.config.ts'
for (const project of usual.test?.projects ?? [])
  if (typeof project === 'object' && 'test' in project && project.test) project.test.setupFiles = ['./planted.setup.ts']

/** Usually vitest runs the slowest test files first. Here, the files that will most probably fail run first. */
const order = process.env.PLANTED_ORDER?.split(' ')
const placeOf = (file: { moduleId: string }) => order?.indexOf(file.moduleId.slice(process.cwd().length + 1)) ?? 0
class AsOrdered {
  shard<T>(files: T): T {
    return files
  }
  sort<T extends { moduleId: string }>(files: T[]): T[] {
    return files.toSorted((one, other) => placeOf(one) - placeOf(other))
  }
}
if (order && usual.test) usual.test.sequence = { sequencer: AsOrdered }
export default usual
`

export const CONFIG_FILE = 'vitest.planted.config.ts'

/** Writes all faults into the copy at once. Later, an environment variable turns on one of them. */
export function plant(folder: string, faults: readonly Fault[]): void {
  writeFileSync(join(folder, 'src/planted.ts'), PLANTED)
  writeFileSync(join(folder, 'planted.setup.ts'), SETUP)
  writeFileSync(join(folder, CONFIG_FILE), CONFIG)
  const numbered = faults.map((fault, nth) => ({ ...fault, nth }))
  for (const [file, faultsInFile] of Map.groupBy(numbered, (fault) => fault.file)) {
    const path = join(folder, file)
    let text = readFileSync(path, 'utf8')
    for (const fault of faultsInFile.toSorted((one, other) => other.from - one.from))
      text = text.slice(0, fault.from) + switchableFault(fault) + text.slice(fault.to)
    const [, firstLine = ''] = /^(#!.*\n)?/.exec(text) ?? []
    const planted = `import { isPlanted } from './${relative(dirname(file), 'src/planted.ts')}'\n`
    writeFileSync(path, firstLine + planted + text.slice(firstLine.length))
  }
}

const switchableFault = ({ nth, kind, original, changed }: Fault & { nth: number }): string =>
  kind === 'statement' ? `{ if (!isPlanted(${nth})) ${original} }` : `(isPlanted(${nth}) ? ${changed} : ${original})`
