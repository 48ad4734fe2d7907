import { execFile } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { access } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { Command } from './examples.ts'

/** How the examples of a language are started: the assistant's way and the platform's. */
export interface Programs {
  book: Command
  platform: Command
  /** Whether its SDK leaves it to others to sign somebody in. */
  signsNobodyIn?: true
}

const makes = promisify(execFile)
const at = (language: string) => resolve('examples/clients', language)

/** Makes the examples of each language with what is on the machine; throws where something is missing. */
const languages: Record<string, () => Promise<Programs>> = {
  async Python() {
    const python = process.env.CLIENTS_PYTHON ?? 'python3'
    await makes(python, ['-c', 'import mcp_types'])
    return { book: [python, 'python/book.py'], platform: [python, 'python/as_platform.py'] }
  },

  async Go() {
    const made = mkdtempSync(join(tmpdir(), 'usp-client-'))
    const env = { ...process.env, GOPROXY: 'off', GOFLAGS: '-mod=readonly' }
    await makes('go', ['build', '-o', made, './...'], { cwd: at('go'), env })
    return { book: [join(made, 'book')], platform: [join(made, 'platform')] }
  },

  async Java() {
    await makes('mvn', ['-o', '-q', '-B', 'compile', 'dependency:copy-dependencies'], { cwd: at('java') })
    const java = ['java', '-cp', 'java/target/classes:java/target/dependency/*']
    return { book: [...java, 'Book'], platform: [...java, 'Platform'], signsNobodyIn: true }
  },

  async Rust() {
    const made = join(process.env.CARGO_TARGET_DIR ?? join(at('rust'), 'target'), 'debug')
    // Two hundred crates are compiled by whoever fetches them, once, and not by a test.
    await access(made)
    await makes('cargo', ['build', '--offline', '--locked', '--quiet'], { cwd: at('rust') })
    return { book: [join(made, 'book')], platform: [join(made, 'platform')] }
  },
}

/** Whether a missing toolchain is a fault: so it is where somebody has installed them all. */
const MUST_RUN = process.env.CLIENTS === 'all'

export const inLanguages = Object.entries(languages).map(([language, make]) => {
  let made: Promise<Programs | string> | undefined
  return {
    language,
    /** Its programs, or why there are none. Made once. */
    programs: () => {
      made ??= make().catch((error: unknown) => {
        if (MUST_RUN) throw error
        return `The toolchain of ${language} or what its examples need is not here: examples/clients/README.md`
      })
      return made
    },
  }
})
