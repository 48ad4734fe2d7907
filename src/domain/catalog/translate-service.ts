import { omitUndefined } from '../../infra/util/object-members.ts'
import type { Service } from '../../protocol/types.generated.ts'
import { pickText, plainDescription, primaryCategory } from './localized-texts.ts'
import type { ResourceTexts } from './published-service.ts'
import type { ServiceRow } from './queries.ts'

/**
 * Translates the texts of a service into the requested language. The original texts move to the property `localized`,
 * so that the caller can still read them.
 */
export function localize({ body, resource_texts, language: usual }: ServiceRow, locale: string | undefined): Service {
  if (!locale) return body
  const service = withLocalResources(body, resource_texts, locale)
  const { localized } = service
  if (!localized) return service
  const text = (translations: Record<string, string> | undefined) => translations && pickText(translations, locale)
  const name = text(localized.name)
  const description = text(localized.description)
  const categoryName = text(localized.category_name)
  const instructions = text(localized.channel_instructions)
  const primary = primaryCategory(service.categories)
  const usualDescription = plainDescription(service)

  const replaced: Service['localized'] = { ...localized }
  const result: Service = { ...service, localized: replaced }
  if (name !== undefined) {
    result.name = name
    replaced.name = { ...localized.name, [usual]: service.name }
  }
  if (description !== undefined) {
    result.description = typeof service.description === 'string' ? description : { plain: description }
    if (usualDescription !== undefined) replaced.description = { ...localized.description, [usual]: usualDescription }
  }
  if (categoryName !== undefined && primary) {
    result.categories =
      service.categories?.map((entry) => (entry === primary ? { ...entry, name: categoryName } : entry)) ?? []
    if (primary.name !== undefined) replaced.category_name = { ...localized.category_name, [usual]: primary.name }
  }
  if (instructions !== undefined) {
    result.channel = { ...service.channel, instructions }
    if (service.channel.instructions !== undefined)
      replaced.channel_instructions = { ...localized.channel_instructions, [usual]: service.channel.instructions }
  }
  return result
}

/**
 * Translates the names and descriptions of the people, rooms and items that buyers can choose. The answer does not
 * contain the original texts, because these resources have no property `localized` for other languages.
 */
function withLocalResources(service: Service, texts: ResourceTexts, locale: string): Service {
  if (!service.resources || Object.keys(texts).length === 0) return service
  const local = (option: Option): Option => {
    const { name = {}, description = {} } = texts[option.id ?? ''] ?? {}
    return { ...option, ...omitUndefined({ name: pickText(name, locale), description: pickText(description, locale) }) }
  }
  return {
    ...service,
    resources: service.resources.map(({ options, ...rest }) => ({
      ...rest,
      ...(options && { options: options.map(local) }),
    })),
  }
}

type Option = NonNullable<NonNullable<Service['resources']>[number]['options']>[number]
