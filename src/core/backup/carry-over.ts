import { rm } from 'node:fs/promises'
import { restoreBackup } from './restore.ts'
import { writeBackup } from './write-backup.ts'

/** Takes all of one database to an empty one, of whichever versions of PostgreSQL they are. The file in between is gone afterwards. */
export async function carryOver(from: string, to: string, file: string): Promise<void> {
  await rm(file, { force: true })
  try {
    // Whose secret key it is stands beside the folder, and is not in the file.
    await writeBackup(from, file, { secretKey: '', passphrase: undefined })
    await restoreBackup(to, file, { secretKeys: [''] })
  } finally {
    await rm(file, { force: true })
  }
}
