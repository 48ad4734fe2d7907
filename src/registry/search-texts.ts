import { joinedWords, searchTexts, searchVector } from '../catalog/search.ts'
import type { Service } from '../protocol/types.generated.ts'

/** What a search finds a business by: the words of its name, and those of its categories. */
export const businessWords = ({ name, categories }: { name: string; categories: string[] }) =>
  searchVector({ names: joinedWords([name]), groups: joinedWords(categories), body: '' })

/** What a search finds a service by: as in its own catalogue, and by categories that have no name. */
export function serviceTexts(service: Service) {
  const { names, groups, body } = searchTexts(service)
  const others = (service.categories ?? []).flatMap(({ id = '', value = '' }) => [id, value])
  return { names, groups: joinedWords([groups, ...others]), body }
}
