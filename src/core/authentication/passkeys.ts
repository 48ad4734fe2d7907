import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import type { Dependencies } from '../../protocol/dependencies.ts'
import { openSealed } from '../../protocol/unseal.ts'
import { secretDigest } from '../keys/secrets.ts'
import { recordFirstUse } from './replay.ts'
import type { Person } from './staff.ts'

/**
 * Loads the library only when needed, because it costs time and memory. Servers without passkeys never load it. Loading it
 * inside the first call would block other callers.
 */
export async function loadPasskeys() {
  const [passkeys, { decodeAttestationObject }] = await Promise.all([
    import('@simplewebauthn/server'),
    import('@simplewebauthn/server/helpers'),
  ])
  return { ...passkeys, decodeAttestationObject }
}

type PasskeyDependencies = Dependencies<'config' | 'cursors' | 'clock' | 'db'>

/** A public key and its counter. They verify a sign-in, but cannot be used to sign in. */
export interface Passkey {
  credential: string
  publicKey: Uint8Array
  counter: number
}

/** The purpose of a challenge. A challenge for one purpose is not valid for the other. */
type Purpose = 'add' | 'enter'

/** Seconds for the person to confirm on the device. */
export const PASSKEY_SECONDS = 300

const NAME_BYTES = 16

/** Ed25519, and ECDSA and RSA with SHA-256. Every device supports at least one. */
const ALGORITHMS = [-8, -7, -257]

/** The device must verify its owner. This replaces a password. */
const VERIFICATION = 'required'

/** Browsers support passkeys only for a host name, not for an IP address, and only over https or on localhost. */
export function canHavePasskeys({ baseUrl }: PasskeyDependencies['config']): boolean {
  const { protocol, hostname } = new URL(baseUrl)
  return hostname === 'localhost' || (protocol === 'https:' && isIP(hostname) === 0 && !hostname.startsWith('['))
}

const siteOf = ({ baseUrl }: PasskeyDependencies['config']) => {
  const { origin, hostname } = new URL(baseUrl)
  return { expectedOrigin: origin, expectedRPID: hostname }
}

/** The options for creating a passkey. `browser` is a secret of this browser. */
export async function creationOptions(
  { who, business, browser, known }: { who: Person; business: string; browser: string; known: readonly string[] },
  dependencies: PasskeyDependencies,
) {
  const { generateRegistrationOptions } = await loadPasskeys()
  return generateRegistrationOptions({
    rpName: business,
    rpID: siteOf(dependencies.config).expectedRPID,
    userID: new Uint8Array(Buffer.from(who.id)),
    userName: who.name,
    userDisplayName: who.name,
    challenge: challengeFor('add', browser, dependencies),
    timeout: PASSKEY_SECONDS * 1000,
    excludeCredentials: known.map((id) => ({ id })),
    authenticatorSelection: { residentKey: 'required', userVerification: VERIFICATION },
    supportedAlgorithmIDs: ALGORITHMS,
  })
}

/** The options for signing in with any passkey of this site. */
export async function signInOptions(browser: string, dependencies: PasskeyDependencies) {
  const { generateAuthenticationOptions } = await loadPasskeys()
  return generateAuthenticationOptions({
    rpID: siteOf(dependencies.config).expectedRPID,
    challenge: challengeFor('enter', browser, dependencies),
    timeout: PASSKEY_SECONDS * 1000,
    userVerification: VERIFICATION,
  })
}

/** The new passkey; undefined when it was not created for this site, this browser and a valid challenge. */
export async function verifyNewPasskey(
  form: URLSearchParams,
  browser: string,
  dependencies: PasskeyDependencies,
): Promise<Passkey | undefined> {
  const { id, clientDataJSON, attestationObject } = sentIn(form)
  const verify = async () => {
    const { verifyRegistrationResponse, decodeAttestationObject } = await loadPasskeys()
    const attestation = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')))
    if (!isWithoutCertificates(attestation.get('fmt'), attestation.get('attStmt'))) return NOTHING
    return verifyRegistrationResponse({
      ...siteOf(dependencies.config),
      response: { ...credentialOf(id), response: { clientDataJSON, attestationObject } },
      expectedChallenge: consumeChallenge('add', browser, dependencies),
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    })
  }
  const { registrationInfo } = await verify().catch(refused)
  if (!registrationInfo) return undefined
  const { credential } = registrationInfo
  return { credential: credential.id, publicKey: credential.publicKey, counter: credential.counter }
}

/** The new counter; undefined when the assertion is not valid for this site, this browser and a valid challenge. */
export async function verifyPasskeyUse(
  form: URLSearchParams,
  { credential, publicKey, counter }: Passkey,
  browser: string,
  dependencies: PasskeyDependencies,
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await loadPasskeys()
  const { clientDataJSON, authenticatorData, signature } = sentIn(form)
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    ...siteOf(dependencies.config),
    response: { ...credentialOf(credential), response: { clientDataJSON, authenticatorData, signature } },
    expectedChallenge: consumeChallenge('enter', browser, dependencies),
    credential: { id: credential, publicKey: new Uint8Array(publicKey), counter },
    requireUserVerification: true,
  }).catch(refused)
  return verified ? authenticationInfo?.newCounter : undefined
}

/**
 * The server requests no attestation. The library would fetch addresses from attestation certificates, and the device
 * chooses those.
 */
const isWithoutCertificates = (format: string, statement: { get(key: 'x5c'): unknown }): boolean =>
  format === 'none' || (format === 'packed' && statement.get('x5c') === undefined)

const NOTHING = { verified: false, registrationInfo: undefined, authenticationInfo: undefined }

/** The library throws for any invalid input. */
function refused(error: unknown) {
  if (error instanceof Error) return NOTHING
  throw error
}

export const credentialIn = (form: URLSearchParams): string => sentIn(form).id

/** Characters. Valid values are shorter. */
const LONGEST_VALUE = 8_000

function sentIn(form: URLSearchParams) {
  const text = (name: string) => {
    const value = form.get(name) ?? ''
    return value.length > LONGEST_VALUE ? '' : value
  }
  return {
    id: text('id'),
    clientDataJSON: text('clientDataJSON'),
    attestationObject: text('attestationObject'),
    authenticatorData: text('authenticatorData'),
    signature: text('signature'),
  }
}

const credentialOf = (id: string) => ({ id, rawId: id, type: 'public-key' as const, clientExtensionResults: {} })

const scopeOf = (purpose: Purpose, browser: string) =>
  `passkey ${purpose} ${secretDigest(browser).toString('base64url')}`

/** A challenge needs no storage until its use: it seals its creation time, browser and purpose. */
const challengeFor = (purpose: Purpose, browser: string, { cursors, clock }: PasskeyDependencies): string =>
  cursors.seal(scopeOf(purpose, browser), [randomBytes(NAME_BYTES).toString('base64url')], clock())

/** Whether the challenge is valid and used for the first time. It counts as used even when a later check fails. */
const consumeChallenge =
  (purpose: Purpose, browser: string, { cursors, clock, db }: PasskeyDependencies) =>
  async (sent: string): Promise<boolean> => {
    const challenge = Buffer.from(sent, 'base64url').toString()
    if (!openSealed(() => cursors.open(scopeOf(purpose, browser), challenge, clock(), PASSKEY_SECONDS))) return false
    return recordFirstUse(db, `passkey ${challenge}`, PASSKEY_SECONDS, clock())
  }
