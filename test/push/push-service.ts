import { createDecipheriv, createECDH, createPublicKey, type ECDH, hkdfSync, randomBytes, verify } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'
import { loopbackCertificate } from '../../src/core/egress/development/loopback-certificate.ts'

export interface TestBrowserKeys {
  publicKey: Buffer
  secret: Buffer
  own: ECDH
}

export function testBrowserKeys(): TestBrowserKeys {
  const own = createECDH('prime256v1')
  return { publicKey: own.generateKeys(), secret: randomBytes(16), own }
}

const derive = (material: Buffer, salt: Buffer, info: string | Buffer, length: number) =>
  Buffer.from(hkdfSync('sha256', material, salt, info, length))

/** What a browser does with a message (RFC 8188 and 8291). */
export function decryptPushMessage(message: Buffer, { publicKey, secret, own }: TestBrowserKeys): string {
  const [salt, sender, record] = [message.subarray(0, 16), message.subarray(21, 86), message.subarray(86)]
  if (message.readUInt32BE(16) < record.length || message[20] !== 65) throw new Error('Not a message of one record')
  const context = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, sender])
  const material = derive(own.computeSecret(sender), secret, context, 32)
  const key = derive(material, salt, 'Content-Encoding: aes128gcm\0', 16)
  const nonce = derive(material, salt, 'Content-Encoding: nonce\0', 12)
  const decipher = createDecipheriv('aes-128-gcm', key, nonce)
  decipher.setAuthTag(record.subarray(-16))
  const text = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
  if (text.at(-1) !== 2) throw new Error('The record is not the last one')
  return text.subarray(0, -1).toString()
}

export interface PushArrival {
  path: string
  headers: IncomingHttpHeaders
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects and fails where it is not
  payload: any
}

/**
 * A push service with browsers. Like a real one, it accepts a message only with the key that its browser subscribed with, a
 * TTL, and at most 4,096 bytes.
 */
export async function pushService() {
  const browsers = new Map<string, { keys: TestBrowserKeys; serverKey: string }>()
  const service = {
    origin: '',
    arrivals: [] as PushArrival[],
    /** The answer to the next calls, instead of the proper one. */
    answer: undefined as number | 'nothing' | undefined,
    answerHeaders: {} as Record<string, string>,
    /** The number of calls, including those that were refused. */
    calls: 0,
    /** As `PushManager.subscribe` does it. */
    subscribe(serverKey: string) {
      const keys = testBrowserKeys()
      const path = `/push/${randomBytes(8).toString('hex')}`
      browsers.set(path, { keys, serverKey })
      return {
        endpoint: `${service.origin}${path}`,
        p256dh: keys.publicKey.toString('base64url'),
        auth: keys.secret.toString('base64url'),
      }
    },
  }
  const properAnswer = (path: string, headers: IncomingHttpHeaders, body: Buffer): number => {
    const browser = browsers.get(path)
    if (!browser) return 410
    if (body.length > 4096) return 413
    if (headers['content-encoding'] !== 'aes128gcm' || !/^\d+$/.test(headers.ttl?.toString() ?? '')) return 400
    if (!/^[\w-]{1,32}$/.test(headers.topic?.toString() ?? 'x')) return 400
    if (!isAuthorized(headers.authorization, browser.serverKey, service.origin)) return 403
    service.arrivals.push({ path, headers, payload: JSON.parse(decryptPushMessage(body, browser.keys)) })
    return 201
  }
  const server = createServer(loopbackCertificate(), async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    service.calls++
    if (service.answer === 'nothing') return
    const status = service.answer ?? properAnswer(request.url ?? '', request.headers, Buffer.concat(chunks))
    response.writeHead(status, service.answerHeaders).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  service.origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  return service
}

/** Whether the header proves the key (RFC 8292). */
function isAuthorized(header: string | undefined, serverKey: string, audience: string): boolean {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(header ?? '') ?? []
  const [head = '', claims = '', signature = ''] = token.split('.')
  if (key !== serverKey) return false
  const point = Buffer.from(key, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'))
  const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' }, format: 'jwk' })
  const { aud, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString())
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  return isSigned && aud === audience && Number.isInteger(exp)
}
