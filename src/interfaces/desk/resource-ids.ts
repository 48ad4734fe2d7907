import type { Booking } from '../../protocol/types.generated.ts'

/** With whom and what a booking, or a time, is. */
export const resourceIds = ({ resources = [] }: Pick<Booking, 'resources'>): string[] =>
  resources.flatMap(({ id }) => id ?? [])
