import type { Config } from '../../infra/config/read-config.ts'
import { UCP_VERSION } from '../../protocol/capabilities.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { type PlatformMember, type Protocol, standalone } from '../../protocol/deployment-modes.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { PlatformProfile } from '../../protocol/types.generated.ts'
import { checkedUrl, fetchDocument } from '../egress/call-external-url.ts'
import { type FetchDependencies, fetchedDocuments } from './fetched-document-cache.ts'
import { profileFailure } from './profile-document.ts'
import { ProfileMemberMissingError, type ReadProfile, readProfile, WHOSE } from './read-platform-profile.ts'

export interface PlatformProfiles {
  /**
   * Returns the platform profile at the URL, from the cache or with a fetch. `members` lists the accepted formats, such
   * as `usp`. A fetch counts against the limit of the caller's IP address range.
   */
  get(url: string, options: ProfileOptions): Promise<PlatformProfile>
  /**
   * Fetches a platform profile again, because the cached version lacks a caller's key. The server does this at most
   * once a minute for each origin.
   */
  refresh(url: string, options: ProfileOptions): Promise<PlatformProfile>
}

export interface ProfileOptions {
  /** The IP address of the caller who named the profile. Undefined if the server itself needs the profile. */
  address?: string | undefined
  /**
   * If true, a call never gets an expired profile and waits for the new version. If false, a call can get a profile
   * that expired less than a minute ago.
   */
  mustBeFresh?: boolean
  members?: readonly PlatformMember[]
  /**
   * The protocol of the call or event. If a profile has the properties `usp` and `ucp`, the property of this protocol
   * counts. For a call of the Universal Commerce Protocol (UCP), the profile must have the same UCP version as this
   * server.
   */
  protocol?: Protocol
  /** If true, the profile may have another UCP version, because the server only sends an event to the platform. */
  isForEvent?: boolean
}

export function platformProfiles({
  config,
  log,
  ...dependencies
}: Dependencies<'config' | 'log'> & FetchDependencies): PlatformProfiles {
  const { find, refetch } = fetchedDocuments(
    {
      refuse: (url) => refuse(url, config),
      fetch: (url) => fetchDocument(url, config),
      read(response, url) {
        const read = readProfile(response)
        if (read.discarded.length > 0)
          log.warn(
            { profile: url, discarded: read.discarded },
            'A platform profile has capability entries that do not count.',
          )
        return read
      },
      failureOf: (cause) => profileFailure(cause, WHOSE),
      sizeOf: ({ profile, ucpProfile }) => JSON.stringify([profile, ucpProfile]).length,
    },
    dependencies,
  )
  return {
    get: (url, options) => accepted(find(url, options), options),
    refresh: (url, options) => accepted(refetch(url, options), options),
  }
}

function refuse(url: string, config: Config) {
  try {
    checkedUrl(url, config)
  } catch (error) {
    throw profileFailure(error, WHOSE)
  }
  if (config.profileAllowlist.length > 0 && !config.profileAllowlist.includes(url))
    throw new ProtocolError(
      'profile_not_trusted',
      'This business serves selected platforms only, and yours is not among them.',
    )
}

/**
 * Checks the format of a platform profile at each use. The cached profile can serve calls of two protocols (USP and
 * UCP) with different formats. The business can also have changed the accepted formats since the server cached the
 * profile.
 */
async function accepted(reading: Promise<ReadProfile>, options: ProfileOptions): Promise<PlatformProfile> {
  const { members = standalone.platformMembers, protocol = 'usp', isForEvent = false } = options
  const { profile, member, ucpProfile, ucpVersion } = await reading.catch((error: unknown) => {
    throw error instanceof ProfileMemberMissingError ? new ProfileMemberMissingError(protocol) : error
  })
  if (protocol === 'ucp') {
    if (!isForEvent) requireUcpVersion(ucpVersion)
    if (ucpProfile) return ucpProfile
    if (member === 'usp' && !isForEvent)
      throw new ProtocolError('profile_malformed', 'The member ucp of the platform profile does not match its schema.')
  }
  if (members.includes(member)) return profile
  throw new ProtocolError('profile_malformed', `The platform profile must have the member ${members.join(' or ')}.`)
}

/**
 * The Universal Commerce Protocol (UCP) requires the server to check the platform's UCP version at each call. The
 * server accepts only its own UCP version, because its profile names no older versions.
 */
function requireUcpVersion(version: string | undefined): void {
  if (version === undefined) throw new ProfileMemberMissingError('ucp')
  if (version !== UCP_VERSION)
    throw new ProtocolError(
      'version_unsupported',
      `The platform uses version ${version} of UCP. This business supports version ${UCP_VERSION}.`,
    )
}
