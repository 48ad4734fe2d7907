import type { Service, ServiceCategory, ServiceDefinition } from '../../protocol/types.generated.ts'

/** The texts of a service in the language `locale`. Texts without a translation are in the language of the business. */
export function localTexts(
  { name, description, categories, channel, localized = {} }: ServiceDefinition,
  locale: string,
) {
  const local = (texts: Record<string, string> | undefined) => texts && pickText(texts, locale)
  const usual = {
    name,
    description: typeof description === 'string' ? description : description?.plain,
    category: categories?.find(({ primary }) => primary)?.name,
    instructions: channel.instructions,
  }
  return {
    name: local(localized.name) ?? name,
    description: local(localized.description) ?? usual.description,
    category: local(localized.category_name) ?? usual.category,
    instructions: local(localized.channel_instructions) ?? usual.instructions,
    usual,
  }
}

const LONGEST_TAG = 100

/**
 * Finds the best translation by the lookup algorithm of RFC 4647. The function first tries the full language tag, such
 * as `de-CH`, and then shorter forms, such as `de`.
 */
export function pickText(translations: Record<string, string>, locale: string): string | undefined {
  const byTag = new Map(Object.entries(translations).map(([tag, text]) => [tag.toLowerCase(), text]))
  for (const tag of lookupTags(locale)) {
    const text = byTag.get(tag)
    if (text !== undefined) return text
  }
}

/** Returns the language tags that serve a reader of a language, in lower case: the full tag first, the shortest last. */
export function lookupTags(locale: string): string[] {
  const parts = locale.slice(0, LONGEST_TAG).toLowerCase().split('-')
  return parts.map((_, left) => parts.slice(0, parts.length - left).join('-'))
}

export const plainDescription = ({ description }: Pick<Service, 'description'>): string | undefined =>
  typeof description === 'string' ? description : description?.plain

/**
 * Returns the main category of a service. The first choice is the category marked as primary. The second choice is the
 * category with the taxonomy `merchant` (the business's own categories), if there is only one. The last choice is the
 * first category.
 */
export function primaryCategory<Category extends Pick<Partial<ServiceCategory>, 'primary' | 'taxonomy'>>(
  categories: readonly Category[] = [],
): Category | undefined {
  const marked = categories.find(({ primary }) => primary)
  const merchant = categories.filter(({ taxonomy }) => taxonomy === 'merchant')
  return marked ?? (merchant.length === 1 ? merchant[0] : categories[0])
}
