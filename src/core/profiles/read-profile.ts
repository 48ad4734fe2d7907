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
  /** The member of the document that its capabilities were read from. */
  member: PlatformMember
}

/** As a refusal speaks of it. */
export const WHOSE = 'The platform profile'

const usp = compile(shape('PlatformProfile'))
const ucp = compile(shape('UcpPlatformProfile'))

/** The platform profile in an answer. That of a UCP platform counts as one when nothing in it is for USP. */
export function readProfile(response: EgressResponse): ReadProfile {
  const document = profileDocument(response, WHOSE)
  const isUcp = recordOf(document).usp === undefined && recordOf(document).ucp !== undefined
  return isUcp
    ? { profile: essenceOf(readUcpProfile(document)), member: 'ucp' }
    : { profile: essenceOf(readUspProfile(document)), member: 'usp' }
}

/** No platform has more of them, nor more versions of one. */
const MOST = { capabilities: 200, versions: 20 }

/** What is looked at here. Profiles stay in memory, and whoever writes one may put in what takes ever so much of it. */
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

/** Its version is one of UCP and says nothing of USP, so what both sides have is settled by capability alone. */
function readUcpProfile(document: unknown): PlatformProfile {
  if (!isUcpProfile(document)) throw unfit(ucp)
  const { capabilities: offered, services } = document.ucp
  return { ...document, usp: { version: VERSION, capabilities: offered, ...preferenceIn(services) } }
}

/** A platform lists the transports it would rather be told over, the best first; MCP alone makes a difference. */
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
