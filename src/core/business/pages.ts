import type { BusinessDefinition } from '../../protocol/types.generated.ts'

/** Whether people can book on the pages at all. */
export const isOpenToBrowsers = ({ website, deployment_mode }: BusinessDefinition): boolean =>
  (website?.enabled ?? true) && deployment_mode !== 'ucp_native'

/** Whether people may have their assistants book: where something is left to do they are led to the pages. */
export const isOpenToAssistants = (definition: BusinessDefinition): boolean =>
  isOpenToBrowsers(definition) && (definition.website?.assistants ?? true)
