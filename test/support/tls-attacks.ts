import { createCipheriv, createHmac, generateKeyPairSync, randomBytes } from 'node:crypto'

const sized = (bytes: number, ...parts: Buffer[]): Buffer => {
  const content = Buffer.concat(parts)
  const length = Buffer.alloc(bytes)
  length.writeUIntBE(content.length, 0, bytes)
  return Buffer.concat([length, content])
}
const numbers = (many: number, nth: (n: number) => number[]) =>
  Buffer.from(Array.from({ length: many }, (_, n) => nth(n)).flat())
const record = (type: number, content: Buffer) => Buffer.concat([Buffer.from([type, 3, 3]), sized(2, content)])

/** A ClientHello with many groups, and key shares for the last of them: OpenSSL searches all groups for each share. */
export function longGreeting(groups: number, shares: number): Buffer {
  const group = (n: number) => [0x40 + (n >> 8), n & 0xff]
  const extension = (type: number, content: Buffer) => Buffer.concat([Buffer.from([0, type]), sized(2, content)])
  const extensions = sized(
    2,
    extension(43, sized(1, Buffer.from([3, 4]))),
    extension(13, sized(2, Buffer.from([4, 3]))),
    extension(10, sized(2, numbers(groups, group))),
    extension(
      51,
      sized(
        2,
        numbers(shares, (n) => [...group(groups - shares + n), 0, 1, 0]),
      ),
    ),
  )
  const suites = sized(2, Buffer.from([0x13, 1]))
  const hello = Buffer.concat([Buffer.from([3, 3]), randomBytes(32), sized(1), suites, Buffer.from([1, 0]), extensions])
  const message = Buffer.concat([Buffer.from([1]), sized(3, hello)])
  const pieces = Array.from({ length: Math.ceil(message.length / 0x4000) }, (_, n) => n * 0x4000)
  return Buffer.concat(pieces.map((from) => record(22, message.subarray(from, from + 0x4000))))
}

/** TLS 1.3 KeyUpdate messages, encrypted with the client's traffic secret (from `keylog`). A client may send any number. */
export function keyChanges(many: number, secret: Buffer): Buffer {
  const derived = (from: Buffer, label: string, length: number) => {
    const info = Buffer.concat([Buffer.from([0, length]), sized(1, Buffer.from(`tls13 ${label}`)), Buffer.from([0, 1])])
    return createHmac('sha256', from).update(info).digest().subarray(0, length)
  }
  const change = Buffer.from([24, 0, 0, 1, 0, 22])
  let current = secret
  return Buffer.concat(
    Array.from({ length: many }, () => {
      const head = Buffer.from([23, 3, 3, 0, change.length + 16])
      const cipher = createCipheriv('aes-128-gcm', derived(current, 'key', 16), derived(current, 'iv', 12)).setAAD(head)
      const sealed = Buffer.concat([cipher.update(change), cipher.final(), cipher.getAuthTag()])
      current = derived(current, 'traffic upd', 32)
      return Buffer.concat([head, sealed])
    }),
  )
}

/** A client certificate, and a chain of certificates with expensive keys. The last one has no trusted issuer. */
export function costlyChain(many: number) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const own = certificate(0, publicKey.export({ type: 'spki', format: 'der' }))
  const others = Array.from({ length: many }, (_, n) => certificate(n + 1, costlyKey()))
  return { cert: [own, ...others].map(pem).join(''), key: privateKey.export({ type: 'pkcs8', format: 'pem' }) }
}

const pem = (der: Buffer) => `-----BEGIN CERTIFICATE-----\n${der.toString('base64')}\n-----END CERTIFICATE-----\n`
const tagged = (tag: number, ...parts: Buffer[]): Buffer => {
  const content = Buffer.concat(parts)
  const length = content.length < 128 ? [content.length] : [0x82, content.length >> 8, content.length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...length]), content])
}
const sequence = (...parts: Buffer[]) => tagged(0x30, ...parts)
const integer = (...bytes: number[]) => tagged(2, Buffer.from(bytes))
const bits = (content: Buffer) => tagged(3, Buffer.from([0]), content)
const named = (text: string) =>
  sequence(tagged(0x31, sequence(Buffer.from('0603550403', 'hex'), tagged(0x0c, Buffer.from(text)))))
/** RSA: 1 is the algorithm of a key, 11 is a signature with SHA-256. */
const algorithm = (last: number) => sequence(Buffer.from('06092a864886f70d0101', 'hex'), Buffer.from([last, 5, 0]))
/** The length of the largest modulus that OpenSSL accepts with an exponent of the same length. */
const large = (firstByte: number) => Buffer.from([firstByte, ...randomBytes(382), 0xff])

const costlyKey = () =>
  sequence(algorithm(1), bits(sequence(tagged(2, Buffer.from([0]), large(0xff)), tagged(2, large(0x7f)))))

/** The signature is invalid, but the verifier finds out only at the end of its computation. */
function certificate(nth: number, key: Buffer): Buffer {
  const time = (text: string) => tagged(0x17, Buffer.from(text))
  const valid = sequence(time('200101000000Z'), time('491231235959Z'))
  const body = [integer(1), algorithm(11), named(`c${nth + 1}`), valid, named(`c${nth}`), key]
  return sequence(sequence(tagged(0xa0, integer(2)), ...body), algorithm(11), bits(large(0x7f)))
}
