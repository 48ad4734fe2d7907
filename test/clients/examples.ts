import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { expect } from 'vitest'
import { addClient } from '../../src/core/authentication/api-keys.ts'
import { ROSA, visitor } from '../booking-flow/visitor.ts'
import { allow } from '../oauth/assistant.ts'
import { browser } from '../oauth/browser.ts'
import { testPlatform } from '../support/platform.ts'
import { freePort } from '../support/process.ts'
import { listening } from './listening.ts'

export type Command = readonly string[]
type Person = (says: string) => Promise<boolean>

const path = [resolve('node_modules/.bin'), process.env.PATH].join(delimiter)

/** Runs an example; whoever reads what it says may do what it asks for. */
async function run(command: Command, env: NodeJS.ProcessEnv, person?: Person) {
  const [program = '', ...args] = command
  const child = spawn(program, args, { cwd: 'examples/clients', env: { PATH: path, ...env } })
  let output = ''
  let done: Promise<boolean> | undefined
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
      done ??= /(Open|Sign in at|navigate to:) http\S+\s/.test(output) ? person?.(output) : undefined
    })
  const [code] = await once(child, 'close')
  await done
  expect([code, output]).toEqual([0, expect.stringMatching(/^Booked: \S+/m)])
}

/** Runs examples against a business of their own: each gives whose the booking is that it made. */
export async function examples() {
  const { server, origin } = await listening()
  const { db } = server.runtime
  const { url: profile } = await testPlatform()
  const { id, key: USP_API_KEY } = await addClient(db, 'Example', new Date())
  const HOME = mkdtempSync(join(tmpdir(), 'usp-client-'))

  /** Somebody opens the link, says who they are and presses the button. */
  async function books(says: string) {
    const { pathname, search } = new URL(/Open (\S+)/.exec(says)?.[1] ?? '')
    return (await visitor(server).fill(pathname + search, ROSA)).status === 303
  }

  /** Somebody signs in, allows it, and their browser goes back to where the client waits. */
  async function signsIn(says: string) {
    const back = await allow(browser(server, origin), /(?:Sign in at|navigate to:) (\S+)/.exec(says)?.[1] ?? '')
    return (await fetch(back)).ok
  }

  async function bookedBy(...[command, env, person]: Parameters<typeof run>) {
    const bookings = () => db.selectFrom('bookings').select(['id', 'principal']).execute()
    const before = (await bookings()).map(({ id }) => id)
    server.time.now = new Date()
    await run(command, env, person)
    return (await bookings()).filter(({ id }) => !before.includes(id)).map(({ principal }) => principal)
  }

  return {
    byLink: (command: Command) => bookedBy([...command, `${origin}/mcp`], { HOME }, books),
    async signedIn(command: Command) {
      const waiting = `http://127.0.0.1:${await freePort()}/callback`
      // The Inspector asks nobody to sign in unless it may open a browser; this one opens nothing.
      const env = { HOME, MCP_OAUTH_CALLBACK_URL: waiting, MCP_AUTO_OPEN_ENABLED: 'true', BROWSER: 'true' }
      return bookedBy([...command, `${origin}/mcp`, '--sign-in'], env, signsIn)
    },
    asPlatform: (command: Command) => bookedBy([...command, `${origin}/usp/mcp`, profile], { HOME, USP_API_KEY }),
    platform: `client:${id}`,
  }
}
