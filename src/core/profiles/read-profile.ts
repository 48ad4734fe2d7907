import { omitUndefined } from '../../infra/util/omit-undefined.ts'
import { recordOf } from '../../infra/util/record-of.ts'
import { capabilities, SERVICE, VERSION } from '../../protocol/capabilities.ts'
import type { PlatformMember } from '../../protocol/deployment.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { shape } from '../../protocol/schemas.ts'
import type {
  PlatformProfile,
  ProfileCapabilityEntry,
  SigningKey,
  UcpPlatformProfile,
} from '../../protocol/types.generated.ts'
import { compile, faultsOf, type Validator } from '../../protocol/validator.ts'
import type { EgressResponse } from '../egress/egress.ts'
import { profileDocument } from './profile-document.ts'

export interface ReadProfile {
  profile: PlatformProfile
  /** The member of the document that contains its capabilities. */
  member: PlatformMember
}

export const WHOSE = 'The platform profile'

const usp = compile(shape('PlatformProfile'))
const ucp = compile(shape('UcpPlatformProfile'))

/** Reads a platform profile. A UCP profile counts when it has no `usp` member. */
export function readProfile(response: EgressResponse): ReadProfile {
  const document = profileDocument(response, WHOSE)
  const isUcp = recordOf(document).usp === undefined && recordOf(document).ucp !== undefined
  return isUcp
    ? { profile: essenceOf(readUcpProfile(document)), member: 'ucp' }
    : { profile: essenceOf(readUspProfile(document)), member: 'usp' }
}

/** More capabilities, or versions of one, are ignored. */
const MOST = { capabilities: 200, versions: 20 }

/** Keeps only the members that this server reads: profiles stay in memory, and others write them. */
function essenceOf({ usp, webhook_url, keys, signing_keys }: PlatformProfile): PlatformProfile {
  const ours = Object.keys(capabilities).filter((name) => Object.hasOwn(usp.capabilities, name))
  const names = [...new Set([...ours, ...Object.keys(usp.capabilities)])].slice(0, MOST.capabilities)
  const versionsOf = (name: string) => (usp.capabilities[name] ?? []).slice(0, MOST.versions).map(entryOf)
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

const entryOf = ({ version, spec, schema }: ProfileCapabilityEntry): ProfileCapabilityEntry =>
  omitUndefined({ version, spec, schema })

const keyOf = ({ kid, kty, crv, x, y, n, e, use, alg }: SigningKey): SigningKey =>
  omitUndefined({ kid, kty, crv, x, y, n, e, use, alg })

function readUspProfile(document: unknown): PlatformProfile {
  if (!isUspProfile(document)) throw unfit(usp)
  if (document.usp.version > VERSION)
    throw new ProtocolError(
      'version_unsupported',
      `The platform speaks ${document.usp.version}. The latest version here is ${VERSION}.`,
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
  return { ...document, usp: { ...document.usp, ...preferenceIn(document.usp.services) } }
}

/** Its version is one of UCP and says nothing about USP. Negotiation therefore uses the capabilities only. */
function readUcpProfile(document: unknown): PlatformProfile {
  if (!isUcpProfile(document)) throw unfit(ucp)
  const { capabilities: offered, services } = document.ucp
  return { ...document, usp: { version: VERSION, capabilities: offered, ...preferenceIn(services) } }
}

/** Platforms list their transports for events, the preferred one first. Only MCP makes a difference here. */
function preferenceIn(services: unknown): Pick<PlatformProfile['usp'], 'services'> {
  const best = recordOf(recordOf(recordOf(services)[SERVICE])[0])
  return { services: { [SERVICE]: best.transport === 'mcp' ? [{ transport: 'mcp' }] : [] } }
}

const isUspProfile = (value: unknown): value is PlatformProfile => usp(value)
const isUcpProfile = (value: unknown): value is UcpPlatformProfile => ucp(value)

const unfit = (validator: Validator) =>
  new ProtocolError('profile_malformed', `${WHOSE} does not fit its schema.`, {
    errors: faultsOf(validator),
  })
