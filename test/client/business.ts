import type { BusinessDefinition } from '../../src/protocol/types.generated.ts'
import { freePort } from '../support/process.ts'
import { serverWithAllInterfaces, type TestServer } from '../support/server.ts'

export const callback = 'https://127.0.0.1:9443/hook'

/** A server that listens and whose clock runs, as programs outside find it. */
export async function openBusiness(
  definition: BusinessDefinition,
  { env, ...options }: Parameters<typeof serverWithAllInterfaces>[1] = {},
): Promise<TestServer & { url: string; port: number }> {
  const port = await freePort()
  const server = await serverWithAllInterfaces(definition, { ...options, env: { ...env, PORT: String(port) } })
  Object.defineProperty(server.time, 'now', { get: () => new Date() })
  await server.app.listen({ port, host: '127.0.0.1' })
  return { ...server, port, url: server.runtime.config.baseUrl }
}
