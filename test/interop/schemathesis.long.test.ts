import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { addClient } from '../../src/core/authentication/api-keys.ts'
import { addStaff } from '../../src/core/authentication/staff-members.ts'
import { openDatabase } from '../../src/infra/db/database.ts'
import { freshDatabase } from '../support/database.ts'
import { buyer } from '../support/desk.ts'
import { generousLimits } from '../support/generous-limits.ts'
import { testPlatform } from '../support/platform.ts'
import { freePort, usp, waitForOutput } from '../support/process.ts'
import { schemathesis } from './programs.ts'
import { installed, run } from './tools.ts'
import { toolsAsOpenapi } from './tools-as-openapi.ts'

const folder = mkdtempSync(join(tmpdir(), 'usp-schemathesis-'))
const database = await freshDatabase()
const { url: profile } = await testPlatform()

/** Starts the demo business in a process of its own. It resolves no host name, so it calls no generated address. */
async function startServer() {
  const business = join(folder, 'business.yaml')
  const demo = readFileSync('examples/glamour-salon.yaml', 'utf8')
  writeFileSync(business, `${demo}\nlimits: ${JSON.stringify(generousLimits)}\n`)
  const port = await freePort()
  const server = usp(['serve'], {
    PORT: String(port),
    DATABASE_URL: database,
    USP_DATA_DIR: join(folder, 'data'),
    USP_BUSINESS_FILE: business,
    USP_NAMESERVERS: `127.0.0.1:${await freePort()}`,
  })
  await waitForOutput(server, 'Ctrl-C stops it.')
  return `http://127.0.0.1:${port}`
}

const origin = await startServer()
const db = openDatabase(database, 1, () => {})
const bearer = {
  'a platform': (await addClient(db, 'Platform', new Date())).key,
  'the owner': await addStaff(db, 'Owner', 'owner', new Date()),
}
await db.destroy()

const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

async function post(path: string, body: object) {
  const headers = {
    'content-type': 'application/json',
    'usp-agent': `profile="${profile}"`,
    authorization: `Bearer ${bearer['a platform']}`,
  }
  return (await fetch(`${origin}/usp/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).json()
}

async function bookedByPlatform(): Promise<string> {
  const service_id = 'svc_haircut'
  const { slots } = await post('/availability/query', { service_id, start_date: day(2), end_date: day(9) })
  return (await post('/bookings', { service_id, slot_id: slots[0].id, buyer })).booking.id
}

const BOOKING_ID = await bookedByPlatform()
const rest = `${origin}/schemas/openapi/usp-rest.json`
const mcp = join(folder, 'usp-mcp.json')
const tools = await (await fetch(`${origin}/schemas/openrpc/usp-mcp.json`)).json()
writeFileSync(mcp, JSON.stringify(toolsAsOpenapi(tools, { usp: { profile } })))

/** These operations let the server call an address of the input. */
const callers = ['createFeedSubscription', 'registerBusiness', 'updateRegistration']
const ofStaff = '^/usp/v1/business/'
const all = ['--phases', 'examples,coverage,fuzzing', '--generation-with-security-parameters', 'false']
const some = ['--phases', 'examples,fuzzing']
/** An MCP server reports wrong input in an answer with the HTTP status 200. */
const inMcp = [...some, '--exclude-checks', 'negative_data_rejection', '--url', origin]

test.for([
  ['REST', 'an anonymous caller', [rest, ...some]],
  [
    'REST',
    'a platform',
    [rest, ...all, '--exclude-path-regex', ofStaff, ...callers.flatMap((id) => ['--exclude-operation-id', id])],
  ],
  ['REST', 'the owner', [rest, ...all, '--include-path-regex', ofStaff]],
  ['MCP', 'an anonymous caller', [mcp, ...inMcp]],
  ['MCP', 'the owner', [mcp, ...inMcp]],
] as const)(
  '[schemathesis] finds no fault in the answers over %s to %s',
  { timeout: 10 * 60_000 },
  async ([, caller, options], context) => {
    const program = await installed(context, schemathesis)
    const header = caller === 'an anonymous caller' ? [] : ['--header', `Authorization: Bearer ${bearer[caller]}`]
    const config = ['--config-file', resolve('test/interop/schemathesis.toml'), '--no-color']
    const { code, output } = await run([...program, ...config, 'run', ...options, ...header], {
      cwd: folder,
      env: { PATH: process.env.PATH, PROFILE: profile, BOOKING_ID },
    })
    expect(code, output).toBe(0)
    const [, tested, passed] = /Tested: (\d+).* (\d+) passed/s.exec(output) ?? []
    expect(Number(tested), output).toBeGreaterThan(25)
    expect(Number(passed), output).toBeGreaterThan(3 * Number(tested))
  },
)
