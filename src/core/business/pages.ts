import type { BusinessDefinition } from '../../protocol/types.generated.ts'

export const isOpenToBrowsers = ({ website, deployment_mode }: BusinessDefinition): boolean =>
  (website?.enabled ?? true) && deployment_mode !== 'ucp_native'

/**
 * Whether assistants may book for people. It requires the booking pages, because assistants send people there for open
 * tasks.
 */
export const isOpenToAssistants = (definition: BusinessDefinition): boolean =>
  isOpenToBrowsers(definition) && (definition.website?.assistants ?? true)
