import { asRecord, omitUndefined } from '../../infra/util/object-members.ts'
import { capabilities, SERVICE, VERSION } from '../../protocol/capabilities.ts'
import type { PlatformMember } from '../../protocol/deployment-modes.ts'
import { type DiscardedEntry, withoutForeignEntries } from '../../protocol/discard-invalid-capabilities.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { shape } from '../../protocol/json-schemas.ts'
import { compile, faultsOf, type Validator } from '../../protocol/schema-validator.ts'
import type {
  PlatformProfile,
  ProfileCapabilityEntry,
  SigningKey,
  UcpPlatformProfile,
} from '../../protocol/types.generated.ts'
import type { EgressResponse } from '../egress/call-external-url.ts'
import { profileDocument } from './profile-document.ts'

export interface ReadProfile {
  profile: PlatformProfile
  /**
   * The property of the platform profile that contains its capabilities (supported parts of the protocol): `usp` or
   * `ucp`.
   */
  member: PlatformMember
  /**
   * What the property `ucp` says, if the platform profile also has the property `usp`. It counts for calls of the
   * Universal Commerce Protocol (UCP). Undefined if the property is missing or malformed.
   */
  ucpProfile: PlatformProfile | undefined
  /**
   * The version of the Universal Commerce Protocol (UCP) in the property `ucp` of the platform profile. Undefined if
   * the property is missing or the version has the wrong form.
   */
  ucpVersion: string | undefined
  /** The capability entries of the platform that this server ignored, each with the reason. */
  discarded: DiscardedEntry[]
}

export const WHOSE = 'The platform profile'
const MISMATCH = `${WHOSE} does not match its schema.`

const uspValidator = compile(shape('PlatformProfile'))
const ucpValidator = compile(shape('UcpPlatformProfile'))

/**
 * The error for a platform profile that has neither the property `usp` nor the property `ucp`. The error names the
 * property for the protocol of the call.
 */
export class ProfileMemberMissingError extends ProtocolError {
  constructor(member: PlatformMember = 'usp') {
    super('profile_malformed', MISMATCH, { errors: [{ field: member, message: 'is missing' }] })
    this.name = 'ProfileMemberMissingError'
  }
}

/**
 * Reads a platform profile in the format of USP or in the format of UCP (Universal Commerce Protocol). The format is
 * UCP if the document has the property `ucp` and no property `usp`. If the document has both, the function reads both.
 */
export function readProfile(response: EgressResponse): ReadProfile {
  const document = profileDocument(response, WHOSE)
  const { usp, ucp } = asRecord(document)
  if (usp === undefined && ucp === undefined) throw new ProfileMemberMissingError()
  const isUcp = usp === undefined
  const member = isUcp ? 'ucp' : 'usp'
  const { document: usable, discarded } = withoutForeignEntries(document, member)
  const profile = usedMembersOf(isUcp ? readUcpProfile(usable) : readUspProfile(usable))
  const ucpPart = isUcp || ucp === undefined ? undefined : withoutForeignEntries(document, 'ucp')
  const ucpDocument = ucpPart?.document
  const ucpProfile = isUcpProfile(ucpDocument) ? usedMembersOf(fromUcp(ucpDocument)) : undefined
  const allDiscarded = [...discarded, ...(ucpPart?.discarded ?? [])]
  return { profile, member, ucpProfile, ucpVersion: ucpVersionIn(ucp), discarded: allDiscarded }
}

function ucpVersionIn(ucp: unknown): string | undefined {
  const { version } = asRecord(ucp)
  return typeof version === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(version) ? version : undefined
}

/**
 * The maximum number of capabilities in a platform profile, and of versions of one capability. The server ignores all
 * capabilities and versions above these limits.
 */
const MAX_COUNTS = { capabilities: 200, versions: 20 }

/** Keeps only the properties of a platform profile that this server uses, because a profile can have any size. */
function usedMembersOf({ usp, webhook_url, keys, signing_keys }: PlatformProfile): PlatformProfile {
  const known = Object.keys(capabilities).filter((name) => Object.hasOwn(usp.capabilities, name))
  const names = [...new Set([...known, ...Object.keys(usp.capabilities)])].slice(0, MAX_COUNTS.capabilities)
  const versionsOf = (name: string) => (usp.capabilities[name] ?? []).slice(0, MAX_COUNTS.versions).map(entryOf)
  return omitUndefined({
    usp: {
      version: usp.version,
      capabilities: Object.fromEntries(names.map((name) => [name, versionsOf(name)])),
      ...(usp.services && { services: usp.services }),
    },
    webhook_url,
    keys: keys?.map(keyOf),
    signing_keys: signing_keys?.map(keyOf),
  })
}

function entryOf({ version, spec, schema, config }: ProfileCapabilityEntry): ProfileCapabilityEntry {
  const { webhook_url } = asRecord(config)
  return omitUndefined({
    version,
    spec,
    schema,
    config: typeof webhook_url === 'string' ? { webhook_url } : undefined,
  })
}

const keyOf = ({ kid, kty, crv, x, y, n, e, use, alg }: SigningKey): SigningKey =>
  omitUndefined({ kid, kty, crv, x, y, n, e, use, alg })

function readUspProfile(document: unknown): PlatformProfile {
  if (!isUspProfile(document)) throw schemaError(uspValidator)
  if (document.usp.version > VERSION)
    throw new ProtocolError(
      'version_unsupported',
      `The platform uses version ${document.usp.version}. The latest version here is ${VERSION}.`,
      {
        messages: [
          {
            type: 'error',
            code: 'version_unsupported',
            content: `The latest supported version is ${VERSION}.`,
            version: VERSION,
          },
        ],
      },
    )
  return { ...document, usp: { ...document.usp, ...preferredTransportIn(document.usp.services) } }
}

/**
 * Reads a platform profile in the format of the Universal Commerce Protocol (UCP). Only calls of this protocol check
 * the version in the profile.
 */
function readUcpProfile(document: unknown): PlatformProfile {
  if (!isUcpProfile(document)) throw schemaError(ucpValidator)
  return fromUcp(document)
}

function fromUcp(document: UcpPlatformProfile): PlatformProfile {
  const { capabilities: offered = {}, services } = document.ucp
  return { ...document, usp: { version: VERSION, capabilities: offered, ...preferredTransportIn(services) } }
}

/**
 * Returns the transport that a platform prefers for events. Platforms list this transport first. For this server, only
 * the difference between MCP and all other transports matters.
 */
function preferredTransportIn(services: unknown): Pick<PlatformProfile['usp'], 'services'> {
  const best = asRecord(asRecord(asRecord(services)[SERVICE])[0])
  return { services: { [SERVICE]: best.transport === 'mcp' ? [{ transport: 'mcp' }] : [] } }
}

const isUspProfile = (value: unknown): value is PlatformProfile => uspValidator(value)
const isUcpProfile = (value: unknown): value is UcpPlatformProfile => ucpValidator(value)

const schemaError = (validator: Validator) =>
  new ProtocolError('profile_malformed', MISMATCH, { errors: faultsOf(validator) })
