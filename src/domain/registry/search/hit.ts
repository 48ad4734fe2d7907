import { rfc3339Exact } from '../../../infra/time/zone.ts'
import { omitUndefined } from '../../../infra/util/records.ts'
import type { RegistryBusinessRef, ServiceSearchResult } from '../../../protocol/types.generated.ts'
import type { FoundService } from './service-search.ts'

export const hitOf = ({ body, location, indexed_at, ...business }: FoundService): ServiceSearchResult =>
  omitUndefined({
    ...body,
    business: {
      id: business.registration_id,
      profile_url: business.profile_url,
      deployment_mode: business.deployment_mode as RegistryBusinessRef['deployment_mode'],
      name: business.name,
    },
    location: location ?? undefined,
    timezone: business.timezone,
    last_indexed_at: rfc3339Exact(business.timezone, indexed_at),
  })
