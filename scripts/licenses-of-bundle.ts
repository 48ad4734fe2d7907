import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Returns the licenses of all packages that have files in the bundle. */
export function licensesOf(root: string, inputs: string[]): string {
  const packages = new Set(inputs.flatMap((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []))
  return [...packages]
    .toSorted()
    .map((name) => `${name}\n\n${readFileSync(join(root, 'node_modules', name, 'LICENSE'), 'utf8')}`)
    .join('\n\n')
}
