import type { ServiceDefinition } from '../../protocol/types.generated.ts'
import { pickText } from './pick-text.ts'

/** What a service is called, and what it says of itself, in the wished language where it has it. */
export function localTexts(
  { name, description, categories, channel, localized = {} }: ServiceDefinition,
  wish: string,
) {
  const local = (texts: Record<string, string> | undefined) => texts && pickText(texts, wish)
  /** As the business wrote it, in its own language. */
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
