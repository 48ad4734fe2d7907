import type { Config } from '../../../infra/config/config.ts'
import { REST_BASE } from '../../../protocol/paths.ts'

/** The path of the profile of this directory. The directory identifies itself by this profile to businesses. */
export const PLATFORM_PROFILE = `${REST_BASE}/registry/profile`
/** The path for notices of businesses about catalogue changes. */
export const NOTICES = `${REST_BASE}/registry/notices`

export const platformProfileUrl = ({ baseUrl }: Config): string => baseUrl + PLATFORM_PROFILE
export const noticesUrl = ({ baseUrl }: Config, registrationId: string): string =>
  `${baseUrl}${NOTICES}/${registrationId}`
