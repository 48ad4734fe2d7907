import { VERSION } from '../protocol/capabilities.ts'
import type { PlatformMember } from '../protocol/deployment.ts'
import { ProtocolError } from '../protocol/errors.ts'
import { shape } from '../protocol/schemas.ts'
import type { PlatformProfile, UcpPlatformProfile } from '../protocol/types.generated.ts'
import { compile, faultsOf, type Validator } from '../protocol/validator.ts'
import type { EgressResponse } from './egress.ts'
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
  const isUcp = Object(document).usp === undefined && Object(document).ucp !== undefined
  return isUcp
    ? { profile: readUcpProfile(document), member: 'ucp' }
    : { profile: readUspProfile(document), member: 'usp' }
}

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
  return document
}

/** Its version is one of UCP and says nothing of USP, so what both sides have is settled by capability alone. */
function readUcpProfile(document: unknown): PlatformProfile {
  if (!isUcpProfile(document)) throw unfit(ucp)
  return { ...document, usp: { version: VERSION, capabilities: document.ucp.capabilities } }
}

const isUspProfile = (value: unknown): value is PlatformProfile => usp(value)
const isUcpProfile = (value: unknown): value is UcpPlatformProfile => ucp(value)

const unfit = (validator: Validator) =>
  new ProtocolError('profile_malformed', `${WHOSE} does not fit its schema.`, {
    errors: faultsOf(validator),
  })
