import { type EgressResponse, fetchDocument } from '../../../core/egress/call-external-url.ts'
import { profileDocument, profileFailure } from '../../../core/profiles/profile-document.ts'
import type { Config } from '../../../infra/config/read-config.ts'
import { SERVICE } from '../../../protocol/capabilities.ts'
import { type DiscardedEntry, withoutForeignEntries } from '../../../protocol/discard-invalid-capabilities.ts'
import { ProtocolError } from '../../../protocol/errors.ts'
import { shape } from '../../../protocol/json-schemas.ts'
import { compile, faultsOf, type Validator } from '../../../protocol/schema-validator.ts'
import type {
  AuthorizationPolicy,
  BusinessProfile,
  RegistryEntry,
  SigningKey,
  UcpBusinessProfile,
} from '../../../protocol/types.generated.ts'

/**
 * The parts of a business profile that the directory needs. The profiles of the two protocols USP and UCP have
 * different formats. The server converts both formats to this type.
 */
export interface PublishedBusiness {
  /**
   * The base URL of the REST operations of the business, without a trailing slash. Undefined if the business offers no
   * REST.
   */
  endpoint: string | undefined
  capabilities: string[]
  authorization: AuthorizationPolicy | undefined
  keys: SigningKey[]
  hasLocations: boolean
  /**
   * Invalid entries for capabilities (parts of the protocol that a business offers). The server ignores these entries.
   */
  discarded: DiscardedEntry[]
}

const WHOSE = 'The business profile'
const LONGEST_ENDPOINT = 2_000
const usp = compile(shape('BusinessProfile'))
const ucp = compile(shape('UcpBusinessProfile'))

/**
 * Fetches the profile of a business, and throws an error if the profile is invalid. In the deployment mode
 * `standalone`, the document must be a USP profile. Otherwise, it must be a UCP profile.
 */
export async function readBusinessProfile(
  url: string,
  mode: RegistryEntry['deployment_mode'],
  config: Config,
): Promise<PublishedBusiness> {
  try {
    return publishedIn(await fetchDocument(url, config), mode)
  } catch (cause) {
    throw profileFailure(cause, WHOSE)
  }
}

export function publishedIn(response: EgressResponse, mode: RegistryEntry['deployment_mode']): PublishedBusiness {
  const isStandalone = mode === 'standalone'
  const { document, discarded } = withoutForeignEntries(profileDocument(response, WHOSE), isStandalone ? 'usp' : 'ucp')
  return { ...(isStandalone ? fromUsp(document) : fromUcp(document)), discarded }
}

type Published = Omit<PublishedBusiness, 'discarded'>

function fromUsp(document: unknown): Published {
  if (!isUsp(document)) throw unfit(usp, 'USP business profile')
  return published(document.usp, document, document.authorization)
}

/**
 * Converts a UCP profile (a profile of the Universal Commerce Protocol). In a UCP profile, only the bindings (such as
 * REST) have authentication rules. The profile as a whole has none.
 */
function fromUcp(document: unknown): Published {
  if (!isUcp(document)) throw unfit(ucp, 'UCP profile')
  return published(document.ucp, document, undefined)
}

function published(
  { services, capabilities, business }: Pick<UcpBusinessProfile['ucp'], 'services' | 'capabilities' | 'business'>,
  { keys, signing_keys: sameKeys = [] }: Pick<BusinessProfile, 'keys' | 'signing_keys'>,
  policy: AuthorizationPolicy | undefined,
): Published {
  const binding = services[SERVICE]?.find(({ transport }) => transport === 'rest')
  if (binding?.endpoint && binding.endpoint.length > LONGEST_ENDPOINT)
    throw new ProtocolError(
      'profile_malformed',
      `${WHOSE} has an endpoint of more than ${LONGEST_ENDPOINT} characters.`,
    )
  return {
    endpoint: binding?.endpoint?.replace(/(?<!\/)\/+$/, ''),
    capabilities: Object.keys(capabilities),
    authorization: binding?.config?.authorization ?? policy,
    keys: keys ?? sameKeys,
    hasLocations: (business?.locations ?? []).length > 0,
  }
}

const isUsp = (value: unknown): value is BusinessProfile => usp(value)
const isUcp = (value: unknown): value is UcpBusinessProfile => ucp(value)

const unfit = (validator: Validator, kind: string) =>
  new ProtocolError('profile_malformed', `The document at profile_url is not a valid ${kind}.`, {
    errors: faultsOf(validator),
  })
