import { salon } from '../booking-flow/visitor.ts'
import { freePort } from '../support/process.ts'
import { serverWithAllInterfaces } from '../support/server.ts'

/** The demo business where any client reaches it, by the true time, as its authorization server has it. */
export async function listening() {
  const port = await freePort()
  const server = await serverWithAllInterfaces(salon(), { env: { PORT: String(port) } })
  server.time.now = new Date()
  await server.app.listen({ host: '127.0.0.1', port })
  return { server, origin: `http://127.0.0.1:${port}` }
}
