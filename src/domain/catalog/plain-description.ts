import type { Service } from '../../protocol/types.generated.ts'

/** The description as plain text, in whichever of its two forms it was given. */
export const plainDescription = ({ description }: Pick<Service, 'description'>): string | undefined =>
  typeof description === 'string' ? description : description?.plain
