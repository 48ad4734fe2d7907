import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, realpathSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** Copies the repository, including uncommitted changes, to a temporary folder. */
export function copyOf(repository: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'usp-mutants-'))
  chmodSync(folder, 0o755)
  const listed = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], { cwd: repository })
  for (const file of listed
    .toString()
    .split('\0')
    .filter((name) => name !== '' && name !== 'node_modules')) {
    if (!existsSync(join(repository, file))) continue
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    copyFileSync(join(repository, file), join(folder, file))
  }
  symlinkSync(realpathSync(join(repository, 'node_modules')), join(folder, 'node_modules'))
  mkdirSync(join(folder, 'tmp'))
  return folder
}
