import { cpSync, existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { withFolderError } from '../config/data-folder.ts'

/**
 * A copy next to the data folder. When a newer version must read this folder, npm has already replaced the package of the
 * old programs.
 */
export const storedProgramsFolder = (home: string, major: string): string => join(home, `programs-${major}`)

/** Copies the programs of a package, once for each of its versions, and returns their folder. */
export function storePrograms(home: string, native: string): string {
  const version = versionIn(resolve(native, '..')) ?? ''
  const kept = storedProgramsFolder(home, Number.parseInt(version, 10).toString())
  if (versionIn(kept) === version) return kept
  const part = `${kept}.${process.pid}.part`
  return withFolderError(kept, () => {
    cpSync(native, part, { recursive: true, verbatimSymlinks: true })
    cpSync(join(native, '../package.json'), join(part, 'package.json'))
    rmSync(kept, { recursive: true, force: true })
    renameSync(part, kept)
    return kept
  })
}

const versionIn = (folder: string): string | undefined => {
  const file = join(folder, 'package.json')
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).version : undefined
}
