import { rm } from 'node:fs/promises'
import { restoreBackup } from './restore.ts'
import { writeBackup } from './write-backup.ts'

/** Copies one database into an empty one; the PostgreSQL versions may differ. Deletes the temporary file afterwards. */
export async function copyDatabase(from: string, to: string, file: string): Promise<void> {
  await rm(file, { force: true })
  try {
    // The secret key stays in the data folder. An empty key authenticates the temporary file.
    await writeBackup(from, file, { secretKey: '', passphrase: undefined })
    await restoreBackup(to, file, { secretKeys: [''] })
  } finally {
    await rm(file, { force: true })
  }
}
