import type { ServiceDefinition } from '../protocol/types.generated.ts'
import { pickText } from './pick-text.ts'

/** What a service is called, and what it says of itself, in the wished language where it has it. */
export function localTexts(
  { name, description, categories, channel, localized = {} }: ServiceDefinition,
  wish: string,
) {
  const local = (texts: Record<string, string> | undefined) => texts && pickText(texts, wish)
  const usual = typeof description === 'string' ? description : description?.plain
  const usualCategory = categories?.find(({ primary }) => primary)?.name
  return {
    name: local(localized.name) ?? name,
    description: local(localized.description) ?? usual,
    category: local(localized.category_name) ?? usualCategory,
    usualCategory,
    instructions: local(localized.channel_instructions) ?? channel.instructions,
  }
}
