import { statSync } from 'node:fs'
import { megabytes, progressLines } from '../core/backup/report-progress.ts'
import { lastBackupUpsert, writeBackup } from '../core/backup/write-backup.ts'
import { USP } from '../infra/util/command-line-error.ts'
import { checkBackup } from './check-backup.ts'
import { open } from './open-database.ts'
import { onlyFile, parseArguments } from './parse-arguments.ts'
import { failOnSignal } from './shutdown-signals.ts'

const USAGE = `Usage: ${USP} backup FILE | backup --check FILE`

/** Prints the progress of the backup to standard error. Standard output contains only the result. */
const reportProgress = progressLines((line) => console.error(line))

export async function run(args: string[]) {
  const { file, check } = read(args)
  console.log(check ? await checkBackup(file, failOnSignal(reportProgress)) : await taken(file))
}

function read(args: string[]) {
  const options = { check: { type: 'boolean', default: false } } as const
  const { values, positionals } = parseArguments({ args, options, allowPositionals: true }, USAGE)
  return { file: onlyFile(positionals, USAGE), check: values.check }
}

async function taken(file: string): Promise<string> {
  const { runtime, directUrl, secretKey, close } = await open({ logTo: process.stderr })
  const { backupPassphrase: passphrase } = runtime.config
  let unknown = ''
  try {
    const taken_at = runtime.clock()
    await writeBackup(directUrl, file, { secretKey, passphrase, onProgress: reportProgress })
    await lastBackupUpsert(runtime.db, { taken_at, bytes: statSync(file).size }).catch((error) => {
      unknown = `\nThe metrics do not show this backup, because its time could not be stored (${error.message}).`
    })
  } finally {
    await close()
  }
  const withSecret =
    passphrase === undefined
      ? 'The file does not contain the secret key. Store USP_SECRET_KEY in another place, or set USP_BACKUP_PASSPHRASE: backups then contain it, sealed.'
      : 'The file contains the secret key, sealed with USP_BACKUP_PASSPHRASE. Store the passphrase in another place.'
  return `${file} contains all data (${megabytes(statSync(file).size)}). ${withSecret}\nCheck that it can be restored: ${USP} backup --check ${file}${unknown}`
}
