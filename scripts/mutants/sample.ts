import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { openCompiler } from './compiler.ts'
import { type Fault, nameOf, overlap } from './fault.ts'
import { shuffled } from './random.ts'

interface Wish {
  folder: string
  /** Files and folders. */
  paths: readonly string[]
  most: number
  seed: number
  /** Where those are named that are known to matter to nobody. */
  known: string
}

/** So many faults, here and there, none of which the compiler sees. */
export function sample(
  compiler: ReturnType<typeof openCompiler>,
  { folder, paths, most, seed, known }: Wish,
): { chosen: Fault[]; passedOver: number } {
  const files = paths.flatMap((path) =>
    statSync(join(folder, path)).isDirectory() ? globSync(`${path}/**/*.ts`, { cwd: folder }).toSorted() : [path],
  )
  const chosen: Fault[] = []
  let passedOver = 0
  for (const fault of shuffled(files.flatMap(compiler.faultsIn), seed, lineOf)) {
    if (chosen.length === most) break
    if (chosen.some((one) => overlap(one, fault)) || !compiler.lets(fault)) continue
    if (known.includes(nameOf(fault))) passedOver++
    else chosen.push(fault)
  }
  return { chosen, passedOver }
}

/** Its name without its file, which may be called otherwise tomorrow. */
const lineOf = (fault: Fault) => nameOf(fault).slice(fault.file.length)
