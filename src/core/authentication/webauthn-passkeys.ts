import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { openSealed } from '../../protocol/open-sealed-content.ts'
import { secretDigest } from '../keys/encrypt-secrets.ts'
import { recordFirstUse } from './refuse-replayed-proofs.ts'
import type { Person } from './staff-members.ts'

/**
 * Loads the passkey library only when needed, because the library costs time and memory. A server that offers passkeys
 * loads the library at its start. Loading the library during the first call would block other callers.
 */
export async function loadPasskeys() {
  const [passkeys, { decodeAttestationObject }] = await Promise.all([
    import('@simplewebauthn/server'),
    import('@simplewebauthn/server/helpers'),
  ])
  return { ...passkeys, decodeAttestationObject }
}

type PasskeyDependencies = Dependencies<'config' | 'cursors' | 'clock' | 'db'>

/**
 * The stored data of a passkey: its public key and its use counter. The server needs these data to verify a sign-in. A
 * thief cannot sign in with them.
 */
export interface Passkey {
  credential: string
  publicKey: Uint8Array
  counter: number
}

/**
 * Whether a passkey challenge (a random text that the device signs) is for adding a passkey or for signing in. A
 * challenge is valid for one purpose only.
 */
type Purpose = 'add' | 'enter'

/** How many seconds the person has to confirm the use of a passkey on the device. */
export const PASSKEY_SECONDS = 300

const NAME_BYTES = 16

/**
 * The numbers of the signature algorithms that passkeys may use: Ed25519 (-8), ECDSA (-7) and RSA (-257). Each device
 * supports at least one of these algorithms.
 */
const ALGORITHMS = [-8, -7, -257]

/** The device must verify its owner, for example with a PIN or a fingerprint, because a passkey replaces a password. */
const VERIFICATION = 'required'

/**
 * Whether the server can offer passkeys to the staff. Browsers support passkeys only for host names, not for IP
 * addresses. The URL of the server must also use https, or its host must be localhost.
 */
export function canHavePasskeys({ baseUrl }: PasskeyDependencies['config']): boolean {
  const { protocol, hostname } = new URL(baseUrl)
  return hostname === 'localhost' || (protocol === 'https:' && isIP(hostname) === 0 && !hostname.startsWith('['))
}

const siteOf = ({ baseUrl }: PasskeyDependencies['config']) => {
  const { origin, hostname } = new URL(baseUrl)
  return { expectedOrigin: origin, expectedRPID: hostname }
}

/**
 * Returns the options that the browser needs to create a passkey. `browser` is a secret that identifies the browser.
 * `known` lists the passkeys that the person already has.
 */
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

/** Returns the options that the browser needs for a sign-in with any passkey of this site. */
export async function signInOptions(browser: string, dependencies: PasskeyDependencies) {
  const { generateAuthenticationOptions } = await loadPasskeys()
  return generateAuthenticationOptions({
    rpID: siteOf(dependencies.config).expectedRPID,
    challenge: challengeFor('enter', browser, dependencies),
    timeout: PASSKEY_SECONDS * 1000,
    userVerification: VERIFICATION,
  })
}

/**
 * Verifies and returns a new passkey. The passkey must be created for this site, in this browser and with a valid
 * challenge. Otherwise, returns undefined.
 */
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

/**
 * Verifies a sign-in with a passkey, and returns the new use counter of the passkey. The sign-in must be for this site,
 * in this browser and with a valid challenge. Otherwise, returns undefined.
 */
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
 * Whether a new passkey contains no attestation certificates (certificates about the device). The server requests no
 * certificates and refuses a passkey with certificates. The passkey library would call URLs in these certificates, and
 * the device chooses these URLs.
 */
const isWithoutCertificates = (format: string, statement: { get(key: 'x5c'): unknown }): boolean =>
  format === 'none' || (format === 'packed' && statement.get('x5c') === undefined)

const NOTHING = { verified: false, registrationInfo: undefined, authenticationInfo: undefined }

/** The passkey library throws an error for each invalid input. This function turns the error into a refusal. */
function refused(error: unknown) {
  if (error instanceof Error) return NOTHING
  throw error
}

export const credentialIn = (form: URLSearchParams): string => sentIn(form).id

/** The maximum number of characters in one field of a passkey form. All valid fields are shorter. */
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

/**
 * Creates a passkey challenge: a random text that the device signs. The server does not store the challenge. An
 * authentication tag connects the challenge with its creation time, the browser and the purpose.
 */
const challengeFor = (purpose: Purpose, browser: string, { cursors, clock }: PasskeyDependencies): string =>
  cursors.seal(scopeOf(purpose, browser), [randomBytes(NAME_BYTES).toString('base64url')], clock())

/**
 * Whether the passkey challenge is valid and unused. The function also marks the challenge as used, even if a later
 * check fails.
 */
const consumeChallenge =
  (purpose: Purpose, browser: string, { cursors, clock, db }: PasskeyDependencies) =>
  async (sent: string): Promise<boolean> => {
    const challenge = Buffer.from(sent, 'base64url').toString()
    if (!openSealed(() => cursors.open(scopeOf(purpose, browser), challenge, clock(), PASSKEY_SECONDS))) return false
    return recordFirstUse(db, `passkey ${challenge}`, PASSKEY_SECONDS, clock())
  }
