import type { Service } from '../../../protocol/types.generated.ts'
import { joinedWords, searchTexts, searchVector } from '../../catalog/search-words.ts'

export const businessWords = ({ name, categories }: { name: string; categories: string[] }) =>
  searchVector({ names: joinedWords([name]), groups: joinedWords(categories), body: '' })

/**
 * Returns the words of a service that the directory search can find. These words come from the texts of the service,
 * and from the ids and values of its categories.
 */
export function serviceTexts(service: Service) {
  const { names, groups, body } = searchTexts(service)
  const categoryTexts = (service.categories ?? []).flatMap(({ id = '', value = '' }) => [id, value])
  return { names, groups: joinedWords([groups, ...categoryTexts]), body }
}

/** One crawl stores at most this many different words. Catalogues in natural languages have fewer words. */
const MOST_WORDS = 20_000

/**
 * Removes new words from a text if the crawl has reached its limit of different words. The limit exists because a new
 * word costs the database more than a repeated word.
 */
export const withinVocabulary = (text: string, vocabulary: Set<string>): string =>
  text
    .split(' ')
    .filter((word) => vocabulary.has(word) || (vocabulary.size < MOST_WORDS && vocabulary.add(word)))
    .join(' ')
