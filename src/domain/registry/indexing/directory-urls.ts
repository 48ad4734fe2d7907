import type { Config } from '../../../infra/config/read-config.ts'
import { REST_BASE } from '../../../protocol/base-url-paths.ts'

/**
 * The path of the profile of this directory. With this profile, a business verifies that a call comes from the
 * directory.
 */
export const PLATFORM_PROFILE = `${REST_BASE}/registry/profile`
/** Businesses send notices about changes of their catalogues to this path. */
export const NOTICES = `${REST_BASE}/registry/notices`

export const platformProfileUrl = ({ baseUrl }: Config): string => baseUrl + PLATFORM_PROFILE
export const noticesUrl = ({ baseUrl }: Config, registrationId: string): string =>
  `${baseUrl}${NOTICES}/${registrationId}`
