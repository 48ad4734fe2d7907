import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { PlainError } from './plain-error.ts'

/** Makes the folder if need be. It may be passed through by PostgreSQL's user; each thing inside guards itself. */
export function openFolder(folder: string): string {
  const path = resolve(folder)
  try {
    if (existsSync(path)) return path
    mkdirSync(path, { recursive: true })
    chmodSync(path, 0o711)
    return path
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? error.code : error
    throw new PlainError(`The folder ${path} cannot be made (${reason}). Set USP_DATA_DIR to one that can.`)
  }
}

/** The secret kept in a file of its own, readable by its owner alone; made by `make` when there is none. */
export function keepSecret(folder: string, name: string, make: () => string): string {
  const path = join(openFolder(folder), name)
  if (!existsSync(path)) writeSecret(folder, name, make())
  return readFileSync(path, 'utf8').trim()
}

export function writeSecret(folder: string, name: string, secret: string): void {
  writeFileSync(join(openFolder(folder), name), `${secret}\n`, { mode: 0o600 })
}
