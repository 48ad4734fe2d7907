import type { Config } from '../../infra/config/read-config.ts'
import { UCP_VERSION } from '../../protocol/capabilities.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { type PlatformMember, type Protocol, standalone } from '../../protocol/deployment-modes.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { PlatformProfile } from '../../protocol/types.generated.ts'
import { checkedUrl, fetchDocument } from '../egress/call-outside-url.ts'
import { type FetchDependencies, fetchedDocuments } from './fetched-document-cache.ts'
import { profileFailure } from './profile-document.ts'
import { ProfileMemberMissingError, type ReadProfile, readProfile, WHOSE } from './read-platform-profile.ts'

export interface PlatformProfiles {
  /**
   * Returns the platform profile at the address. The server fetches the profile when a call first needs it, and caches
   * it for its `max-age`, but at least for a minute. The capabilities must be in one of `members`. A fetch counts
   * against the limit of the caller's network.
   */
  get(url: string, options: ProfileOptions): Promise<PlatformProfile>
  /** Refetches a platform profile that lacks a caller's key, at most once a minute for each origin. */
  refresh(url: string, options: ProfileOptions): Promise<PlatformProfile>
}

export interface ProfileOptions {
  /** The network address of the caller that named the profile. Undefined if the server itself needs the profile. */
  address?: string | undefined
  /**
   * Whether the call waits for a new profile if the cached profile has expired. Otherwise, the call can get the expired
   * profile for a short time.
   */
  mustBeFresh?: boolean
  members?: readonly PlatformMember[]
  /** The protocol of the call. For a UCP call, the profile must have this server's UCP version. */
  protocol?: Protocol
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
      sizeOf: ({ profile }) => JSON.stringify(profile).length,
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
 * Checks the format of a platform profile at each use, because calls of both protocols use it. The business can also
 * have changed the accepted formats since the profile was cached.
 */
async function accepted(reading: Promise<ReadProfile>, options: ProfileOptions): Promise<PlatformProfile> {
  const { members = standalone.platformMembers, protocol = 'usp' } = options
  const { profile, member, ucpVersion } = await reading.catch((error: unknown) => {
    throw error instanceof ProfileMemberMissingError ? new ProfileMemberMissingError(protocol) : error
  })
  if (protocol === 'ucp') requireUcpVersion(ucpVersion)
  if (members.includes(member)) return profile
  throw new ProtocolError('profile_malformed', `The platform profile must have the member ${members.join(' or ')}.`)
}

/**
 * UCP requires the server to check the platform's UCP version at each call. Only this version passes, because the
 * profile of this business names no older UCP versions.
 */
function requireUcpVersion(version: string | undefined): void {
  if (version === undefined) throw new ProfileMemberMissingError('ucp')
  if (version !== UCP_VERSION)
    throw new ProtocolError(
      'version_unsupported',
      `The platform uses version ${version} of UCP. This business supports version ${UCP_VERSION}.`,
    )
}
