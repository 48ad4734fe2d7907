import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { addClient } from '../../src/authentication/api-keys.ts'
import { ROSA, visitor } from '../book/visitor.ts'
import { allow } from '../oauth/assistant.ts'
import { browser } from '../oauth/browser.ts'
import { testPlatform } from '../support/platform.ts'
import { freePort } from '../support/process.ts'
import { listening } from './listening.ts'

const { server, origin } = await listening()
const path = [resolve('node_modules/.bin'), process.env.PATH].join(delimiter)

/** Runs an example; whoever reads what it says may do what it asks for. */
async function example(command: string[], env: NodeJS.ProcessEnv = {}, person = async (_says: string) => false) {
  const [program = '', ...args] = command
  const child = spawn(program, args, { cwd: 'examples/clients', env: { PATH: path, ...env } })
  let output = ''
  let done: Promise<boolean> | undefined
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
      done ??= /(Open|Sign in at|navigate to:) http\S+\s/.test(output) ? person(output) : undefined
    })
  const [code] = await once(child, 'close')
  await done
  expect([code, output]).toEqual([0, expect.stringMatching(/^Booked: \S+/m)])
}

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

const clients = [
  ['the TypeScript SDK 2.x', ['node', 'typescript-2.ts']],
  ['the TypeScript SDK 1.x', ['node', 'typescript-1.ts']],
  ['the Inspector', ['sh', 'inspector.sh']],
] as const

const principals = async () => {
  const rows = await server.runtime.db.selectFrom('bookings').select('principal').execute()
  return rows.map(({ principal }) => principal)
}

/** Whose the booking is that an example makes. */
async function bookedBy(...[command, env, person]: Parameters<typeof example>) {
  const before = await principals()
  server.time.now = new Date()
  await example(command, env, person)
  return (await principals()).filter((one) => !before.includes(one))
}

describe.each(clients)('[any assistant can book] %s, from the address to a booking', (_, command) => {
  const HOME = mkdtempSync(join(tmpdir(), 'usp-client-'))

  test('by a link', async () => {
    const made = await bookedBy([...command, `${origin}/mcp`], { HOME }, books)
    expect(made).toEqual([expect.stringMatching(/^assistant:/)])
  })

  test('signed in', async () => {
    const waiting = `http://127.0.0.1:${await freePort()}/callback`
    // The Inspector asks nobody to sign in unless it may open a browser; this one opens nothing.
    const env = { HOME, MCP_OAUTH_CALLBACK_URL: waiting, MCP_AUTO_OPEN_ENABLED: 'true', BROWSER: 'true' }
    const made = await bookedBy([...command, `${origin}/mcp`, '--sign-in'], env, signsIn)
    expect(made).toEqual([expect.stringMatching(/^client:app_/)])
  })
})

test('a platform with an API key books at the protocol’s tools', async () => {
  const { id, key } = await addClient(server.runtime.db, 'Example', new Date())
  const { url } = await testPlatform()
  const made = await bookedBy(['node', 'platform.ts', `${origin}/usp/mcp`, url], { USP_API_KEY: key })
  expect(made).toEqual([`client:${id}`])
})
