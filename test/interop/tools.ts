import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { TestContext } from 'vitest'

export type Command = readonly string[]
/** Finds an installed tool. Rejects if the tool or one of its packages is missing. Downloads nothing. */
export type FindTool = () => Promise<Command>

interface RunOptions {
  input?: string
  cwd?: string
  env?: NodeJS.ProcessEnv
}

/** Runs a program to its end, and returns its exit code and what it printed. */
export async function run([program = '', ...args]: Command, { input = '', ...options }: RunOptions = {}) {
  const child = spawn(program, args, options)
  // A program that does not start or that ends early does not read its input. Its exit code tells that.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const [[code], output, errors] = await Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)])
  return { code: Number(code), output, errors }
}

/** Runs a program that must succeed, and returns what it printed. */
export async function mustRun(command: Command, options: RunOptions = {}): Promise<string> {
  const { code, output, errors } = await run(command, options)
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}:\n${errors}`)
  return output
}

/** Gives text to a program, and returns its answer, which is JSON. */
export const ask = async (command: Command, input: string) => JSON.parse(await mustRun(command, { input }))

/** Returns the tool. If it is missing, skips the test, or lets it fail if all tools must be installed. */
export async function installed({ skip }: TestContext, find: FindTool): Promise<Command> {
  try {
    return await find()
  } catch (error) {
    if (process.env.INTEROP === 'all') throw error
    return skip('The tool is not installed. docs/interop.md has the commands that install it.')
  }
}
