import { readFileSync } from 'node:fs'
import { DATA_FOLDER } from '../data-folder.ts'
import { PlatformHost } from '../platform/platform-host.ts'
import { UcpPlatformHost } from '../platform/ucp-platform-host.ts'
import { loadStaff } from '../staff/staff.ts'
import { FreeSlots } from '../target/free-slots.ts'
import { listAllServices } from '../target/list-services.ts'
import { SchemaValidator } from '../target/schema-validator.ts'
import { discoverTarget } from '../target/target.ts'
import { findAcceptedAlgorithms } from './accepted-algorithms.ts'
import type { RunEnvironment } from './check-context.ts'
import { Random } from './random.ts'

export interface RunSettings {
  url: string
  seed: number
  staff?: string | undefined
  apiKey?: string | undefined
  client?: string | undefined
  paymentToken?: string | undefined
  /** The port of the suite's platforms; 0 chooses a free one. */
  port?: number
  publicUrl?: string | undefined
  certificate?: string | undefined
  privateKey?: string | undefined
}

/** Reads the profile and the catalogue of the server, and starts the web server that hosts the suite's own platforms. */
export async function startRun(settings: RunSettings): Promise<RunEnvironment> {
  const target = await discoverTarget(settings.url)
  // Servers in development accept this certificate for 127.0.0.1.
  const { certificate = new URL('loopback-cert.pem', DATA_FOLDER) } = settings
  const { privateKey = new URL('loopback-key.pem', DATA_FOLDER) } = settings
  const options = {
    certificate: readFileSync(certificate, 'utf8'),
    privateKey: readFileSync(privateKey, 'utf8'),
    publicUrl: settings.publicUrl,
    capabilities: target.ownCapabilities,
  }
  const host = target.isUcpNative ? new UcpPlatformHost(options, target) : new PlatformHost(options)
  await host.listen(settings.port)
  const algorithms = await findAcceptedAlgorithms(target, host)
  host.algorithms = { proof: algorithms.proof[0], signature: algorithms.signature[0] }
  return {
    target,
    host,
    algorithms,
    services: await listAllServices(target),
    slots: new FreeSlots(new Random(settings.seed)),
    schemas: new SchemaValidator(),
    staff: settings.staff === undefined ? undefined : await loadStaff(settings.staff, target),
    apiKey: settings.apiKey,
    client: settings.client,
    paymentToken: settings.paymentToken,
  }
}
