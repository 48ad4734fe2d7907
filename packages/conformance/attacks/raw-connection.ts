import { once } from 'node:events'
import { connect as connectPlain, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'

/** Bytes. The rest of a longer answer is not read. */
const MAX_ANSWER_BYTES = 64 * 1024

export interface RawAnswer {
  /** The HTTP status, or undefined if the server closed the connection without an answer. */
  status: number | undefined
  text: string
  /** Milliseconds until the server closed the connection, or until `limit`. */
  milliseconds: number
  isClosed: boolean
}

/**
 * Sends bytes that no HTTP client would send, and reads the answer until the server closes the connection, or until
 * `limit` milliseconds have passed. Between two parts, it waits `pause` milliseconds.
 */
export async function sendRaw(
  endpoint: string,
  parts: Iterable<string | Buffer>,
  { limit, pause = 0 }: { limit: number; pause?: number },
): Promise<RawAnswer> {
  const start = performance.now()
  const socket = await open(new URL(endpoint))
  const chunks: Buffer[] = []
  let bytes = 0
  let isClosed = false
  const closed = once(socket, 'close').then(() => {
    isClosed = true
  })
  socket.on('data', (chunk: Buffer) => {
    if (bytes < MAX_ANSWER_BYTES) chunks.push(chunk)
    bytes += chunk.length
  })
  const write = async () => {
    for (const part of parts) {
      if (isClosed || performance.now() - start > limit) return
      socket.write(part)
      if (pause > 0) await Promise.race([sleep(pause), closed])
    }
  }
  const timer = new AbortController()
  await Promise.race([write().then(() => closed), sleep(limit, undefined, { signal: timer.signal }).catch(() => {})])
  timer.abort()
  const milliseconds = performance.now() - start
  socket.destroy()
  const text = Buffer.concat(chunks).toString('latin1')
  const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(text) ?? []
  return { status: status === undefined ? undefined : Number(status), text, milliseconds, isClosed }
}

/** Opens a connection to the server. Later errors of the connection only end it. */
async function open({ protocol, hostname, port }: URL): Promise<Socket> {
  const isTls = protocol === 'https:'
  const options = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || (isTls ? 443 : 80) }
  const socket: Socket = isTls
    ? connectTls({ ...options, servername: hostname, ALPNProtocols: ['http/1.1'], rejectUnauthorized: false })
    : connectPlain(options)
  await new Promise((resolve, reject) => {
    socket.once(isTls ? 'secureConnect' : 'connect', resolve)
    socket.once('error', reject)
  })
  socket.on('error', () => socket.destroy())
  return socket
}
