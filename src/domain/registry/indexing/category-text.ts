import type { Service } from '../../../protocol/types.generated.ts'
import { primaryCategory } from '../../catalog/primary-category.ts'

export function categoryText({ categories = [], type }: Pick<Service, 'categories' | 'type'>): string {
  const primary = primaryCategory(categories)
  return primary?.name || primary?.value || primary?.id || categories[0]?.value || type
}
