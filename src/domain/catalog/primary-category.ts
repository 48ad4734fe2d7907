import type { ServiceCategory } from '../../protocol/types.generated.ts'

/** The one marked primary; else the only merchant entry; else the first. */
export function primaryCategory(categories: ServiceCategory[] = []): ServiceCategory | undefined {
  const marked = categories.find(({ primary }) => primary)
  const merchant = categories.filter(({ taxonomy }) => taxonomy === 'merchant')
  return marked ?? (merchant.length === 1 ? merchant[0] : categories[0])
}
