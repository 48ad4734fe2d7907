import type { Booking } from '../../protocol/types.generated.ts'

export const resourceIds = ({ resources = [] }: Pick<Booking, 'resources'>): string[] =>
  resources.flatMap(({ id }) => id ?? [])
