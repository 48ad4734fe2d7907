import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll } from 'vitest'
import type { ServiceDefinition } from '../../src/protocol/types.generated.ts'
import { businessWith } from '../support/definitions.ts'
import { inheritedEnvironment } from '../support/inherited-environment.ts'

/** The command line as a person would run it, with no setting but those it needs, and a folder for its files. */
export function commandLine(databaseUrl: string) {
  const folder = mkdtempSync(join(tmpdir(), 'usp-apply-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const env = {
    ...inheritedEnvironment(),
    DATABASE_URL: databaseUrl,
    USP_SECRET_KEY: 'forty characters that only this test has',
    USP_DATA_DIR: folder,
  }
  const file = (name: string, content: string) => {
    const path = join(folder, name)
    writeFileSync(path, content)
    return path
  }
  return {
    folder,
    file,
    fileOf: (name: string, ...services: ServiceDefinition[]) =>
      file(name, JSON.stringify(businessWith(services), null, 2)),
    async usp(...args: string[]) {
      const child = spawn('node_modules/.bin/node', ['src/main.ts', ...args], {
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
      const [code, out, err] = await Promise.all([ended, text(child.stdout), text(child.stderr)])
      return { code, out, err }
    },
  }
}
