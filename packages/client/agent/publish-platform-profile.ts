import { once } from 'node:events'
import { createServer, type Server } from 'node:https'
import { loopbackCertificate } from '../../../src/core/egress/development/loopback-certificate.ts'
import { PlainError } from '../../../src/infra/util/command-line-error.ts'
import { asRecord } from '../../../src/infra/util/object-members.ts'
import type { BusinessProfile, PlatformProfile } from '../../../src/protocol/types.generated.ts'
import { type PrivateJwk, publishedKey } from '../platform-key.ts'

export async function profileFor(
  { usp: { version, capabilities } }: BusinessProfile,
  key: PrivateJwk,
): Promise<PlatformProfile> {
  const offered = Object.entries(capabilities).map(([name, entries]) => [
    name,
    entries.map(({ version, spec, schema, extends: parents }) => ({
      version,
      ...(spec !== undefined && { spec }),
      ...(schema !== undefined && { schema }),
      ...(parents !== undefined && { extends: parents }),
    })),
  ])
  return { usp: { version, capabilities: Object.fromEntries(offered) }, keys: [await publishedKey(key)] }
}

/** Serves the platform profile over HTTP while a command runs, because the business reads the profile during a call. */
export async function publish(profile: PlatformProfile, port: number): Promise<{ url: string; close(): void }> {
  const server = createServer(loopbackCertificate(), (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(profile))
  })
  await listening(server, port)
  return {
    url: `https://127.0.0.1:${port}/profile.json`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/**
 * Serves the platform profile on the given port, or throws an error. A business stores a key together with the key's
 * first profile address. This address contains the port, so the platform must always use the same port.
 */
async function listening(server: Server, port: number): Promise<void> {
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening')
  } catch (error) {
    throw new PlainError(
      `The platform profile cannot be served on port ${port} (${asRecord(error).code}). Free the port, or set AGENT_PORT to another one and always use that.`,
    )
  }
}
