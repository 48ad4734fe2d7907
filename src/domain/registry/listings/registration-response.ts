import type { Selectable } from 'kysely'
import type { Registrations } from '../../../infra/db/schema.generated.ts'
import { rfc3339Exact } from '../../../infra/time/time-zone.ts'
import { omitUndefined } from '../../../infra/util/object-members.ts'
import type { Message, RegistryEntry } from '../../../protocol/types.generated.ts'

export type Registration = Selectable<Registrations>

export const entryOf = (row: Pick<Registration, keyof RegistryEntry>): RegistryEntry =>
  omitUndefined({
    id: row.id,
    profile_url: row.profile_url,
    deployment_mode: row.deployment_mode as RegistryEntry['deployment_mode'],
    name: row.name,
    description: row.description ?? undefined,
    verticals: row.verticals,
    categories: row.categories,
    location: (row.location ?? undefined) as RegistryEntry['location'],
    timezone: row.timezone,
    status: row.status as RegistryEntry['status'],
    created_at: rfc3339Exact(row.timezone, row.created_at),
  })

/** Makes the answer about a registration. The answer contains a warning if searches do not show the business. */
export const answerOf = (row: Registration): { registration: RegistryEntry; messages?: Message[] } => ({
  registration: entryOf(row),
  ...(row.status === 'inactive' && {
    messages: [
      {
        type: 'warning',
        code: 'registration_inactive',
        content: `Searches leave it out until its profile can be read again. ${row.problem ?? ''}`.trimEnd(),
      },
    ],
  }),
})
