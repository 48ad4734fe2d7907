import { searchTexts, searchVector, wordsOf } from '../catalog/search.ts'
import type { Service } from '../protocol/types.generated.ts'

const words = (...texts: (string | undefined)[]) => texts.flatMap((text = '') => wordsOf(text)).join(' ')

/** What a search finds a business by: the words of its name, and those of its categories. */
export const businessWords = ({ name, categories }: { name: string; categories: string[] }) =>
  searchVector({ names: words(name), groups: words(...categories), body: '' })

/** What a search finds a service by: as in its own catalogue, and by categories that have no name. */
export function serviceTexts(service: Service) {
  const { names, groups, body } = searchTexts(service)
  const others = (service.categories ?? []).flatMap(({ id, value }) => [id, value])
  return { names, groups: words(groups, ...others), body }
}
