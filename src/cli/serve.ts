import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import closeWithGrace from 'close-with-grace'
import type { buildApp } from '../app.ts'
import { businessDefinition } from '../business/queries.ts'
import { writeSecret } from '../data-folder.ts'
import { PlainError } from '../plain-error.ts'
import type { Runtime } from '../runtime.ts'
import { ensureSigningKey } from '../trust/signing-keys.ts'
import { addStaff, hasOwner } from '../trust/staff.ts'
import { isDevelopment, type Opened, open } from './open.ts'
import { welcome } from './welcome.ts'

/** How long, in milliseconds, requests in flight may take to end. */
const PATIENCE = 10_000
const DEMO = fileURLToPath(new URL('../../examples/glamour-salon.yaml', import.meta.url))

export async function run() {
  // The server's code is loaded while PostgreSQL starts.
  const [opened, { buildApp }] = await Promise.all([open(), import('../app.ts')])
  try {
    await start(opened, buildApp)
  } catch (error) {
    await opened.close()
    throw error
  }
}

async function start({ runtime, secretKey, close }: Opened, build: typeof buildApp) {
  const { config, db, clock } = runtime
  await applyFirstDefinition(runtime)
  await ensureSigningKey(db, secretKey, clock())
  const ownerToken = isDevelopment(config) ? await ensureOwner(runtime) : undefined

  const app = await build(runtime)
  await app.listen({ host: config.host, port: config.port }).catch(async (error) => {
    await app.close()
    throw explained(error, config.port, config.host)
  })
  closeWithGrace({ delay: 2 * PATIENCE, logger: false }, async ({ err }) => {
    if (err) runtime.log.fatal({ err }, 'the process cannot go on')
    const idle = setTimeout(() => app.server.closeAllConnections(), PATIENCE)
    await app.close()
    clearTimeout(idle)
    await close()
  })
  if (isDevelopment(config)) console.log(await welcome(runtime, ownerToken))
}

/** An empty database is filled once: with the file that was named or, in development, with the demo business. */
async function applyFirstDefinition({ config, db, clock }: Runtime) {
  const file = config.businessFile ?? (isDevelopment(config) ? DEMO : undefined)
  if (file === undefined || (await businessDefinition(db))) return
  // Loaded here alone: a server with a business never reads a definition.
  const { applyDefinition } = await import('../business/apply-definition.ts')
  const { readDefinition } = await import('../business/read-definition.ts')
  const { readFile } = await import('./apply.ts')
  await applyDefinition(db, readDefinition(readFile(file), file).definition, clock())
}

/** The first development start makes an owner, whose token only the file holds. Returns where it is. */
async function ensureOwner({ config, db, clock }: Runtime): Promise<string | undefined> {
  const file = join(resolve(config.dataDir), 'owner-token')
  if (!(await hasOwner(db))) {
    const token = await addStaff(db, 'Owner', 'owner', clock())
    writeSecret(config.dataDir, 'owner-token', token)
  }
  return existsSync(file) ? file : undefined
}

function explained(error: unknown, port: number, host: string): unknown {
  const code = Object(error).code
  if (code === 'EADDRINUSE')
    return new PlainError(`Port ${port} is in use. Set PORT to a free one: PORT=${port + 1} npm start`)
  if (code === 'EACCES') return new PlainError(`Port ${port} is not open to this user. Set PORT to one above 1023.`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new PlainError(`HOST ${host} is no address of this machine.`)
  return error
}
