import type { ServiceDefinition } from '../../protocol/types.generated.ts'
import { pickText } from './pick-text.ts'

/** The texts of a service in the requested language, or in the language of the business where a translation is missing. */
export function localTexts(
  { name, description, categories, channel, localized = {} }: ServiceDefinition,
  wish: string,
) {
  const local = (texts: Record<string, string> | undefined) => texts && pickText(texts, wish)
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
