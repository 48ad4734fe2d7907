import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Returns the folders of the packages with these files, such as `node_modules/pg`. */
export function packagesOf(files: string[]): string[] {
  const folders = files.flatMap((path) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? [])
  return [...new Set(folders)].toSorted()
}

/** Returns the licenses of the packages in these folders. */
export function licensesOf(root: string, packages: string[]): string {
  return packages.map((folder) => licenseOf(join(root, folder))).join('\n\n')
}

function licenseOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying)(\.(md|txt))?$/i.test(file))
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim())
  return [`${name} ${version} (${license})`, ...texts].join('\n\n')
}
