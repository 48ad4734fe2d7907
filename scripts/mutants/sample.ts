import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { openCompiler } from './compiler.ts'
import { type Fault, nameOf, overlap } from './fault.ts'
import { shuffled } from './random.ts'

export interface Quota {
  paths: readonly string[]
  /** The maximum number of faults in these paths. Faults from earlier quotas in the same paths count too. */
  most: number
}

interface SampleOptions {
  folder: string
  /** The script fills the quotas in this order. */
  quotas: readonly Quota[]
  seed: number
  /** A text with the names of known faults that have no visible effect. */
  known: string
}

/** Chooses faults until each quota is full. Chooses only faults with which the code still compiles. */
export function sample(
  compiler: Pick<ReturnType<typeof openCompiler>, 'faultsIn' | 'lets'>,
  { folder, quotas, seed, known }: SampleOptions,
): { chosen: Fault[]; passedOver: number } {
  const faultsIn = memoize(compiler.faultsIn)
  const [chosen, passedOver, refused] = [new Set<Fault>(), new Set<Fault>(), new Set<Fault>()]
  for (const { paths, most } of quotas) {
    const files = filesIn(folder, paths)
    let left = most - [...chosen].filter(({ file }) => files.includes(file)).length
    for (const fault of shuffled(files.flatMap(faultsIn), seed, lineOf)) {
      if (left <= 0) break
      if (refused.has(fault) || [...chosen].some((one) => overlap(one, fault))) continue
      if (!compiler.lets(fault)) refused.add(fault)
      else if (known.includes(nameOf(fault))) passedOver.add(fault)
      else {
        chosen.add(fault)
        left--
      }
    }
  }
  return { chosen: [...chosen], passedOver: passedOver.size }
}

const filesIn = (folder: string, paths: readonly string[]) =>
  paths.flatMap((path) =>
    statSync(join(folder, path)).isDirectory() ? globSync(`${path}/**/*.ts`, { cwd: folder }).toSorted() : [path],
  )

function memoize<T>(compute: (file: string) => T): (file: string) => T {
  const results = new Map<string, T>()
  return (file) => results.get(file) ?? results.set(file, compute(file)).get(file) ?? compute(file)
}

const SPLIT = ['src/domain', 'src/core', 'src/infra']

/**
 * Returns the folder for which a file counts, such as `src/domain/waitlist` for `src/domain/waitlist/x.ts`, and
 * `src/interfaces` for all interfaces.
 */
export function folderOf(file: string): string {
  const [top, folder] = [2, 3].map((parts) => file.split('/').slice(0, parts).join('/'))
  return (SPLIT.includes(top ?? '') ? folder : top) ?? ''
}

/** Returns the name of a fault without the file, because a file may get another name. */
const lineOf = (fault: Fault) => nameOf(fault).slice(fault.file.length)
