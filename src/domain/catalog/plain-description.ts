import type { Service } from '../../protocol/types.generated.ts'

export const plainDescription = ({ description }: Pick<Service, 'description'>): string | undefined =>
  typeof description === 'string' ? description : description?.plain
