import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { openCompiler } from './compiler.ts'
import { type Fault, nameOf, overlap } from './fault.ts'
import { shuffled } from './random.ts'

export interface Quota {
  paths: readonly string[]
  /** The number of faults in these paths. Faults that an earlier quota chose there count. */
  most: number
}

interface SampleOptions {
  folder: string
  /** The quotas are filled in this order. */
  quotas: readonly Quota[]
  seed: number
  /** Text that names the faults without any effect. */
  known: string
}

/** Fills the quotas with faults from all files. The compiler accepts each chosen fault. */
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

/** `src/domain/waitlist/x.ts` is in `src/domain/waitlist`, `src/interfaces/desk/x.ts` in `src/interfaces`. */
export function folderOf(file: string): string {
  const [top, folder] = [2, 3].map((parts) => file.split('/').slice(0, parts).join('/'))
  return (SPLIT.includes(top ?? '') ? folder : top) ?? ''
}

/** The name without the file, because files may be renamed. */
const lineOf = (fault: Fault) => nameOf(fault).slice(fault.file.length)
