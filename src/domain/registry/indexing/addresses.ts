import type { Config } from '../../../infra/config/config.ts'
import { REST_BASE } from '../../../protocol/paths.ts'

/** Where this registry says who it is when it calls businesses: as a platform among others. */
export const PLATFORM_PROFILE = `${REST_BASE}/registry/profile`
/** Where they tell it that a catalogue changed. */
export const NOTICES = `${REST_BASE}/registry/notices`

export const platformProfileUrl = ({ baseUrl }: Config): string => baseUrl + PLATFORM_PROFILE
export const noticesUrl = ({ baseUrl }: Config, registrationId: string): string =>
  `${baseUrl}${NOTICES}/${registrationId}`
