import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

export async function generateDatabaseTypes(url: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'usp-types-'))
  const file = join(folder, 'schema.ts')
  try {
    await promisify(execFile)('node_modules/.bin/kysely-codegen', [
      '--dialect',
      'postgres',
      '--url',
      url,
      '--out-file',
      file,
    ])
    return readFileSync(file, 'utf8')
  } finally {
    rmSync(folder, { recursive: true })
  }
}
