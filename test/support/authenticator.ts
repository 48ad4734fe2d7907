import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import type { Certified } from './certificates.ts'

interface Options {
  challenge: string
  rp?: { id?: string }
  rpId?: string
}

interface Faults {
  origin?: string
  rpId?: string
  type?: string
  challenge?: string
  isVerified?: boolean
  counter?: number
  /** Adds an attestation by the manufacturer, which the server did not request. */
  certificate?: Certified
  /** Signs with the key of another device. */
  by?: Authenticator
}

export type Authenticator = ReturnType<typeof authenticator>

/** A device with one passkey, and its messages as a browser at this origin forwards them. */
export function authenticator(origin: string, { counts = true } = {}) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(16)
  let counter = counts ? 1 : 0

  const clientData = (options: Options, { type, challenge = options.challenge, ...faults }: Faults) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: faults.origin ?? origin, crossOrigin: false }))
  const authenticatorData = (rpId: string, { isVerified = true, ...faults }: Faults, attested = Buffer.alloc(0)) => {
    const flags = 0x01 | (isVerified ? 0x04 : 0) | (attested.length > 0 ? 0x40 : 0)
    const used = Buffer.alloc(4)
    used.writeUInt32BE(faults.counter ?? counter)
    const hash = createHash('sha256').update(faults.rpId ?? rpId)
    return Buffer.concat([hash.digest(), Buffer.from([flags]), used, attested])
  }

  return {
    privateKey,
    id: id.toString('base64url'),
    add(options: Options, faults: Faults = {}): Record<string, string> {
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, coseKey(publicKey)])
      const data = authenticatorData(options.rp?.id ?? '', faults, attested)
      const client = clientData(options, { type: 'webauthn.create', ...faults })
      const { certificate } = faults
      const statement = certificate && ([certificate, data, client, id, publicKey] as const)
      return {
        id: id.toString('base64url'),
        clientDataJSON: client.toString('base64url'),
        attestationObject: (statement ? attestedBy(...statement) : withoutAttestation(data)).toString('base64url'),
      }
    },
    enter(options: Options, faults: Faults = {}): Record<string, string> {
      if (counts) counter++
      const data = authenticatorData(options.rpId ?? '', faults)
      const client = clientData(options, { type: 'webauthn.get', ...faults })
      const signed = Buffer.concat([data, createHash('sha256').update(client).digest()])
      return {
        id: id.toString('base64url'),
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', signed, faults.by?.privateKey ?? privateKey).toString('base64url'),
      }
    },
  }
}

const text = (name: string) => Buffer.concat([Buffer.from([0x60 + name.length]), Buffer.from(name)])
const bytes = (value: Buffer) => Buffer.concat([Buffer.from([0x59, value.length >> 8, value.length & 255]), value])

/** CBOR: { fmt: "none", attStmt: {}, authData }. */
const withoutAttestation = (authData: Buffer): Buffer =>
  Buffer.concat([
    ...[Buffer.from([0xa3]), text('fmt'), text('none'), text('attStmt'), Buffer.from([0xa0])],
    ...[text('authData'), bytes(authData)],
  ])

/** CBOR: { fmt: "fido-u2f", attStmt: { sig, x5c: [certificate] }, authData }, the attestation of an old security key. */
function attestedBy(certificate: Certified, authData: Buffer, client: Buffer, id: Buffer, key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  const point = Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
  const clientHash = createHash('sha256').update(client).digest()
  const signed = Buffer.concat([Buffer.from([0]), authData.subarray(0, 32), clientHash, id, point])
  return Buffer.concat([
    ...[Buffer.from([0xa3]), text('fmt'), text('fido-u2f'), text('attStmt'), Buffer.from([0xa2])],
    ...[text('sig'), bytes(sign('sha256', signed, certificate.key))],
    ...[text('x5c'), Buffer.from([0x81]), bytes(certificate.der), text('authData'), bytes(authData)],
  ])
}

/** CBOR: { 1: 2, 3: -7, -1: 1, -2: x, -3: y }, a P-256 key. */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  const [head, mid] = [
    [0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20],
    [0x22, 0x58, 0x20],
  ]
  return Buffer.concat([
    ...[Buffer.from(head), Buffer.from(x, 'base64url')],
    ...[Buffer.from(mid), Buffer.from(y, 'base64url')],
  ])
}
