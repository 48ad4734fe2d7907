import type { Service } from '../../../protocol/types.generated.ts'
import { joinedWords, searchTexts, searchVector } from '../../catalog/search.ts'

/** What a search finds a business by: the words of its name, and those of its categories. */
export const businessWords = ({ name, categories }: { name: string; categories: string[] }) =>
  searchVector({ names: joinedWords([name]), groups: joinedWords(categories), body: '' })

/** What a search finds a service by: as in its own catalogue, and by categories that have no name. */
export function serviceTexts(service: Service) {
  const { names, groups, body } = searchTexts(service)
  const others = (service.categories ?? []).flatMap(({ id = '', value = '' }) => [id, value])
  return { names, groups: joinedWords([groups, ...others]), body }
}

/** Different words of a business that are kept in one go. Of a catalogue that speaks any language they are never so many. */
const MOST_WORDS = 20_000

/** The words among those that are known already, or for which there is room. Each new one costs the database more than its text. */
export const withinVocabulary = (text: string, vocabulary: Set<string>): string =>
  text
    .split(' ')
    .filter((word) => vocabulary.has(word) || (vocabulary.size < MOST_WORDS && vocabulary.add(word)))
    .join(' ')
