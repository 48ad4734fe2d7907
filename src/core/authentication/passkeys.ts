import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import type { Means } from '../../protocol/means.ts'
import { opened } from '../../protocol/opened.ts'
import { secretDigest } from '../keys/secrets.ts'
import { isFirstUse } from './replay.ts'
import type { Person } from './staff.ts'

/** It takes a while, and memory, which whoever has no passkeys is spared; on the first call it would keep all others waiting. */
export async function loadPasskeys() {
  const [passkeys, { decodeAttestationObject }] = await Promise.all([
    import('@simplewebauthn/server'),
    import('@simplewebauthn/server/helpers'),
  ])
  return { ...passkeys, decodeAttestationObject }
}

type PasskeyMeans = Means<'config' | 'cursors' | 'clock' | 'db'>

/** A key pair of somebody's device: what we have of it proves who they are, and lets nobody in. */
export interface Passkey {
  /** As the browser names it. */
  credential: string
  publicKey: Uint8Array
  counter: number
}

/** What is done with a passkey: a challenge for one is good for no other. */
type Purpose = 'add' | 'enter'

/** So long somebody may take to show their face or finger. */
export const PASSKEY_SECONDS = 300

const NAME_BYTES = 16

/** Ed25519, and ECDSA and RSA with SHA-256: one of them every device has. */
const ALGORITHMS = [-8, -7, -257]

/** Whoever has the device shows that they are its owner: nothing else is asked of them. */
const VERIFICATION = 'required'

/** Browsers have none for a bare address, or for a host that is reached without TLS. */
export function canHavePasskeys({ baseUrl }: PasskeyMeans['config']): boolean {
  const { protocol, hostname } = new URL(baseUrl)
  return hostname === 'localhost' || (protocol === 'https:' && isIP(hostname) === 0 && !hostname.startsWith('['))
}

const siteOf = ({ baseUrl }: PasskeyMeans['config']) => {
  const { origin, hostname } = new URL(baseUrl)
  return { expectedOrigin: origin, expectedRPID: hostname }
}

/** What a browser is asked to make one of. `browser` is a secret that no other has. */
export async function optionsToAdd(
  { who, business, browser, known }: { who: Person; business: string; browser: string; known: readonly string[] },
  means: PasskeyMeans,
) {
  const { generateRegistrationOptions } = await loadPasskeys()
  return generateRegistrationOptions({
    rpName: business,
    rpID: siteOf(means.config).expectedRPID,
    userID: new Uint8Array(Buffer.from(who.id)),
    userName: who.name,
    userDisplayName: who.name,
    challenge: challengeFor('add', browser, means),
    timeout: PASSKEY_SECONDS * 1000,
    excludeCredentials: known.map((id) => ({ id })),
    authenticatorSelection: { residentKey: 'required', userVerification: VERIFICATION },
    supportedAlgorithmIDs: ALGORITHMS,
  })
}

/** What a browser is asked to show, whoever it is that sits there. */
export async function optionsToEnter(browser: string, means: PasskeyMeans) {
  const { generateAuthenticationOptions } = await loadPasskeys()
  return generateAuthenticationOptions({
    rpID: siteOf(means.config).expectedRPID,
    challenge: challengeFor('enter', browser, means),
    timeout: PASSKEY_SECONDS * 1000,
    userVerification: VERIFICATION,
  })
}

/** The passkey that was made; nothing where it was not made for us, here and now. */
export async function passkeyMade(
  form: URLSearchParams,
  browser: string,
  means: PasskeyMeans,
): Promise<Passkey | undefined> {
  const { id, clientDataJSON, attestationObject } = sentIn(form)
  const judged = async () => {
    const { verifyRegistrationResponse, decodeAttestationObject } = await loadPasskeys()
    const made = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')))
    if (!isWithoutCertificates(made.get('fmt'), made.get('attStmt'))) return NOTHING
    return verifyRegistrationResponse({
      ...siteOf(means.config),
      response: { ...credentialOf(id), response: { clientDataJSON, attestationObject } },
      expectedChallenge: isOurs('add', browser, means),
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    })
  }
  const { registrationInfo } = await judged().catch(refused)
  if (!registrationInfo) return undefined
  const { credential } = registrationInfo
  return { credential: credential.id, publicKey: credential.publicKey, counter: credential.counter }
}

/** How often it was used by now; nothing where it was not shown to us, here and now, by whoever has it. */
export async function passkeyShown(
  form: URLSearchParams,
  { credential, publicKey, counter }: Passkey,
  browser: string,
  means: PasskeyMeans,
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await loadPasskeys()
  const { clientDataJSON, authenticatorData, signature } = sentIn(form)
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    ...siteOf(means.config),
    response: { ...credentialOf(credential), response: { clientDataJSON, authenticatorData, signature } },
    expectedChallenge: isOurs('enter', browser, means),
    credential: { id: credential, publicKey: new Uint8Array(publicKey), counter },
    requireUserVerification: true,
  }).catch(refused)
  return verified ? authenticationInfo?.newCounter : undefined
}

/** We ask for none. To look into the certificates of a device, the library would call whatever address they name. */
const isWithoutCertificates = (format: string, statement: { get(key: 'x5c'): unknown }): boolean =>
  format === 'none' || (format === 'packed' && statement.get('x5c') === undefined)

const NOTHING = { verified: false, registrationInfo: undefined, authenticationInfo: undefined }

/** What is sent is judged by a library, which throws whatever is wrong with it. */
function refused(error: unknown) {
  if (error instanceof Error) return NOTHING
  throw error
}

/** Which of ours it is, as its browser says. */
export const credentialIn = (form: URLSearchParams): string => sentIn(form).id

/** Nothing that a browser sends of one is longer. */
const LONGEST = 8_000

function sentIn(form: URLSearchParams) {
  const text = (name: string) => {
    const value = form.get(name) ?? ''
    return value.length > LONGEST ? '' : value
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

/** It needs no storage until it is used: it says itself when it was made, for which browser and for what. */
const challengeFor = (purpose: Purpose, browser: string, { cursors, clock }: PasskeyMeans): string =>
  cursors.seal(scopeOf(purpose, browser), [randomBytes(NAME_BYTES).toString('base64url')], clock())

/** Whether it is one of ours that is used for the first time; from then on it is used, whatever else is wrong. */
const isOurs =
  (purpose: Purpose, browser: string, { cursors, clock, db }: PasskeyMeans) =>
  async (sent: string): Promise<boolean> => {
    const challenge = Buffer.from(sent, 'base64url').toString()
    if (!opened(() => cursors.open(scopeOf(purpose, browser), challenge, clock(), PASSKEY_SECONDS))) return false
    return isFirstUse(db, `passkey ${challenge}`, PASSKEY_SECONDS, clock())
  }
