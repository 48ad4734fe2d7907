import type { BusinessDefinition } from '../protocol/types.generated.ts'

/** Whether people can book on the pages at all. */
export const isOpenToBrowsers = ({ website, deployment_mode }: BusinessDefinition): boolean =>
  (website?.enabled ?? true) && deployment_mode !== 'ucp_native'
