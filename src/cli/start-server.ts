import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import manifest from '../../package.json' with { type: 'json' }
import { issuesTokens, policyOf } from '../core/authentication/authentication-policy.ts'
import { staffLinkMake } from '../core/authentication/desk-sign-in-links.ts'
import { addStaff, firstOwner } from '../core/authentication/staff-members.ts'
import { businessDefinition } from '../core/business/definition-queries.ts'
import type { BackgroundLoop } from '../core/jobs/background-loop.ts'
import { ensureSigningKey } from '../core/keys/signing-keys.ts'
import { writeSecret } from '../infra/config/data-folder.ts'
import { startLoopCounter } from '../infra/telemetry/event-loop/monitor-event-loop.ts'
import { sendConsoleToLog } from '../infra/telemetry/redacting-log.ts'
import { PlainError, startCommand } from '../infra/util/command-line-error.ts'
import { asRecord } from '../infra/util/object-members.ts'
import type { Runtime } from '../server/build-dependencies.ts'
import { buildApp } from '../server/build-http-app.ts'
import { checkSettings } from './check-settings.ts'
import type { Opened } from './open-database.ts'
import { classTimesIncomplete } from './print-class-session-progress.ts'
import { releaseUnusedMemory } from './release-unused-memory.ts'
import { SANDBOX_LIMITS } from './sandbox-rate-limits.ts'
import { startBackground } from './start-background-thread.ts'
import { startTracing } from './start-tracing.ts'
import { type Owner, startupBanner } from './startup-banner.ts'
import { watchSecret } from './watch-secret-key.ts'

/** How long a stopping server waits until its running requests have ended, in milliseconds. */
const SHUTDOWN_TIMEOUT_MS = 10_000
/**
 * How long the first start of the server may create class sessions, in milliseconds. The server creates the earliest
 * sessions first, and for a very large business the background work creates the rest.
 */
const MOST_SYNC_MS = 5_000
const DEMO = fileURLToPath(new URL('../../examples/glamour-salon.yaml', import.meta.url))

/** Starts the server on an open database. With `isNew`, the server must start without a business. */
export async function startServer(
  { runtime, secretKey, standby, databaseUrl, directUrl, keepTime, beforeClose }: Opened,
  isNew: boolean,
): Promise<void> {
  const { config, db, clock, log } = runtime
  sendConsoleToLog(log)
  log.info({ version: manifest.version, node: process.versions.node }, 'The server starts.')
  await (isNew ? refuseExistingBusiness(runtime) : applyFirstDefinition(runtime))
  await ensureSigningKey(db, secretKey, clock())
  const owner = config.mode === 'development' && !config.databaseUrl ? await ensureOwner(runtime) : undefined

  if (!policyOf(await runtime.business.get(), config).required)
    runtime.log.warn('SANDBOX: privileged operations need no proof. Never serve real bookings like this.')

  if ((await runtime.business.get())?.payments?.provider === 'stripe' && !config.stripe)
    runtime.log.warn(
      'The server takes no card payments: payments.provider is stripe, but STRIPE_SECRET_KEY is not set.',
    )

  // The OAuth provider loads at the start of the server. At the first call, loading would delay other calls, and it
  // would fail if the process had no free file descriptors.
  if (issuesTokens(policyOf(await runtime.business.get(), config)))
    await import('../interfaces/oauth/create-oidc-provider.ts')

  for (const warning of await checkSettings(config, { db, standby })) runtime.log.warn(warning)

  const endTracing = await startTracing(process.env, runtime.log)
  if (endTracing) beforeClose(endTracing)
  keepTime()
  const app = await buildApp(runtime)
  let background: BackgroundLoop | undefined
  // The server and its background thread may both still wait for another host. Both close at the same time, because one
  // after the other they could exceed the time limit.
  beforeClose(() => Promise.all([closeWithTimeout(app), background?.close()]))
  // The server has no callers yet, so the pause delays only its start.
  releaseUnusedMemory()
  await app.listen({ ...(systemdSocket(process.env) ?? { port: config.port }), host: config.host }).catch((error) => {
    throw explained(error, config.port, config.host)
  })
  beforeClose(() => drain(app, config.drainSeconds))
  await serveMetricsApart(runtime, beforeClose)
  // The counter shows whether the event loop is blocked. It starts only after the server listens, because the start can
  // block the event loop for seconds while no caller waits yet.
  const loopCounter = startLoopCounter()
  const started = startBackground({ config, databaseUrl, directUrl, secretKey, loopCounter }, runtime.log)
  background = started
  runtime.pools.set('background', started.occupancy)
  beforeClose(watchSecret(runtime))
  if (config.mode === 'development') console.log(await startupBanner(runtime, owner))
  if (config.shouldMakeDemoData) {
    const { startDemoData } = await import('./demo/start-demo-data.ts')
    beforeClose(startDemoData(runtime))
  }
}

/** Throws an error if a business already exists. The option `--new` promises a new business. */
async function refuseExistingBusiness({ config, db }: Runtime) {
  if (config.businessFile !== undefined)
    throw new PlainError('--new starts without a business, but USP_BUSINESS_FILE names one. Remove one of them.')
  const known = await businessDefinition(db)
  if (known)
    throw new PlainError(
      `${known.business.name} is set up here already. Start it with: ${startCommand()}. For another business, use another data ` +
        `folder: USP_DATA_DIR=.data-new ${startCommand('--new')}`,
    )
}

async function serveMetricsApart(runtime: Runtime, beforeClose: (step: () => Promise<unknown>) => void) {
  const address = runtime.config.metricsAddress
  if (!address) return
  const { metricsServer } = await import('../interfaces/http/serve-metrics.ts')
  const app = metricsServer(runtime)
  beforeClose(() => app.close())
  // `listen` changes its options object. It gets a copy, because the background thread needs the settings unchanged.
  await app.listen({ ...address }).catch((error) => {
    const why = `${asRecord(error).code ?? error}`
    throw new PlainError(`METRICS_ADDRESS ${address.host}, port ${address.port}, cannot be used (${why}). Set another.`)
  })
}

/**
 * Waits before this server stops accepting connections. Meanwhile, `/healthz` answers with status 503, so that the load
 * balancer sends new calls to another server.
 */
async function drain(app: FastifyInstance, seconds: number) {
  app.isDraining = true
  await wait(seconds * 1_000)
}

/** Closes the server. After a time limit, it closes the connections whose requests have not ended. */
async function closeWithTimeout(app: FastifyInstance) {
  const shutdownTimer = setTimeout(() => app.server.closeAllConnections(), SHUTDOWN_TIMEOUT_MS)
  await app.close()
  clearTimeout(shutdownTimer)
}

/**
 * Stores the first business definition in an empty database: the configured file or, in development mode, the demo
 * business.
 */
async function applyFirstDefinition(runtime: Runtime) {
  const { config, db, clock, log } = runtime
  const file = config.businessFile ?? (config.mode === 'development' ? DEMO : undefined)
  if (file === undefined || (await businessDefinition(db))) return
  // The modules that read a definition file load only here. A server that already has a business never needs them.
  const { applyDefinition } = await import('../domain/definition/apply-definition.ts')
  const { readDefinitionFile } = await import('../domain/definition/read-definition.ts')
  const { unknownCollectors, unknownCollectorText } = await import('../domain/payments/payment-settings-warnings.ts')
  const { definition: business, warnings } = readDefinitionFile(file)
  const definition = file === DEMO ? { ...business, limits: SANDBOX_LIMITS } : business
  for (const warning of [...warnings, ...(await unknownCollectors(db, definition)).map(unknownCollectorText)])
    log.warn(warning)
  if (file === DEMO && config.shouldMakeDemoData) {
    const { openDemoSalon } = await import('./demo/create-demo-salon.ts')
    return openDemoSalon(runtime, definition)
  }
  const until = performance.now() + MOST_SYNC_MS
  const shouldStop = () => performance.now() > until
  const { incomplete } = await applyDefinition(db, definition, clock(), { shouldStop })
  if (incomplete !== undefined) log.warn(classTimesIncomplete(incomplete))
}

/**
 * Creates a staff member with the role `owner` at the first start with an embedded database. The server writes the
 * owner's access token only to a file. The terminal shows a desk link (a sign-in URL) for the owner instead.
 */
async function ensureOwner({ config, db, clock }: Runtime): Promise<Owner> {
  const known = await firstOwner(db)
  if (known === undefined) writeSecret(config.dataDir, 'owner-token', await addStaff(db, 'Owner', 'owner', clock()))
  const id = known ?? (await firstOwner(db)) ?? ''
  const file = join(resolve(config.dataDir), 'owner-token')
  return {
    ...(existsSync(file) && { tokenFile: file }),
    deskLink: await staffLinkMake(db, config.baseUrl, id, clock()),
  }
}

function explained(error: unknown, port: number, host: string): unknown {
  const code = asRecord(error).code
  if (code === 'EADDRINUSE')
    return new PlainError(`Port ${port} is in use. Set PORT to a free one: PORT=${port + 1} ${startCommand()}`)
  if (code === 'EACCES') return new PlainError(`This user may not listen on port ${port}. Set PORT to one above 1023.`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new PlainError(`HOST ${host} is not an address of this machine.`)
  return error
}

/**
 * The number of the first file descriptor that systemd passes to a process:
 * https://www.freedesktop.org/software/systemd/man/latest/sd_listen_fds.html
 */
const FIRST_FILE_DESCRIPTOR = 3

/**
 * Returns the listening socket that systemd passes to this process (`deploy/systemd/usp.socket`). The socket stays open
 * while one server ends and the next server starts. Therefore new connections wait during a restart and are not
 * refused.
 */
function systemdSocket(env: NodeJS.ProcessEnv): { fd: number } | undefined {
  const isForUs = env.LISTEN_PID === String(process.pid) && Number(env.LISTEN_FDS) > 0
  return isForUs ? { fd: FIRST_FILE_DESCRIPTOR } : undefined
}
