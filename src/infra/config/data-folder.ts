import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { PlainError } from '../util/command-line-error.ts'

const MIN_SECRET_CHARACTERS = 32

/**
 * Creates the data folder if it is missing. PostgreSQL can run as another user, who must be able to enter the folder.
 * Therefore the folder is not private, and each file in it has its own permissions.
 */
export function ensureFolder(folder: string): string {
  const path = resolve(folder)
  return withFolderError(path, () => {
    if (existsSync(path)) return path
    mkdirSync(path, { recursive: true })
    chmodSync(path, 0o711)
    return path
  })
}

/**
 * Reads a secret from its file. If the file is missing, creates a new secret, and stores it in a file that only the
 * owner may read.
 */
export function readOrCreateSecret(folder: string, name: string, make: () => string): string {
  const path = join(ensureFolder(folder), name)
  if (!existsSync(path)) writeSecret(folder, name, make())
  const secret = withFolderError(path, () => readFileSync(path, 'utf8').trim())
  if (secret.length < MIN_SECRET_CHARACTERS)
    throw new PlainError(`The file ${path} was cut off. Restore it, or remove it to have a new one made.`)
  return secret
}

/** Reads a secret from a file. Returns undefined if the file is missing. */
export const findSecret = (folder: string, name: string): string | undefined =>
  existsSync(join(resolve(folder), name)) ? readOrCreateSecret(folder, name, () => '') : undefined

export function writeSecret(folder: string, name: string, secret: string): void {
  const path = join(ensureFolder(folder), name)
  withFolderError(path, () => {
    // The server writes the secret to a temporary file, and then renames this file. If the process dies during the
    // write, no incomplete secret stays under the real name.
    writeFileSync(`${path}.new`, `${secret}\n`, { mode: 0o600 })
    renameSync(`${path}.new`, path)
  })
}

/**
 * Runs code that uses a file or folder. If the code fails, throws an error with a one-line message for the operator.
 */
export function withFolderError<T>(path: string, use: () => T): T {
  try {
    return use()
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? error.code : error
    throw new PlainError(`${path} cannot be used (${reason}). Set USP_DATA_DIR to a folder that can.`)
  }
}
