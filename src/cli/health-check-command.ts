import { readConfig } from '../infra/config/read-config.ts'
import { PlainError } from '../infra/util/command-line-error.ts'

const REQUEST_TIMEOUT_MS = 4_000

/** The health check of a container. The command fails if no server with these settings answers on this machine. */
export async function run() {
  const { host, port, tls } = readConfig(process.env)
  const { get } = tls ? await import('node:https') : await import('node:http')
  // The health check calls this machine by its IP address, but the TLS certificate is for the public host name.
  // Therefore the check accepts any certificate. This is safe, because the request contains no secret.
  const options = { host: isEverywhere(host) ? undefined : host, port, path: '/healthz', rejectUnauthorized: false }
  const status = await new Promise<number | undefined>((resolve, reject) =>
    get({ ...options, signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) }, (answer) =>
      resolve(answer.resume().statusCode),
    ).on('error', reject),
  ).catch(({ code, message }) => {
    throw new PlainError(`The server does not answer on port ${port}: ${code ?? message}.`)
  })
  if (status !== 200) throw new PlainError(`The server answers ${status} on port ${port}.`)
}

const isEverywhere = (host: string) => ['0.0.0.0', '::', '[::]'].includes(host)
