import type { ServiceCategory } from '../../protocol/types.generated.ts'

/** The category marked primary, otherwise the only merchant category, otherwise the first. */
export function primaryCategory(categories: ServiceCategory[] = []): ServiceCategory | undefined {
  const marked = categories.find(({ primary }) => primary)
  const merchant = categories.filter(({ taxonomy }) => taxonomy === 'merchant')
  return marked ?? (merchant.length === 1 ? merchant[0] : categories[0])
}
