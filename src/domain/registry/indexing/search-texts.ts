import type { Service } from '../../../protocol/types.generated.ts'
import { joinedWords, searchTexts, searchVector } from '../../catalog/search-words.ts'

export const businessWords = ({ name, categories }: { name: string; categories: string[] }) =>
  searchVector({ names: joinedWords([name]), groups: joinedWords(categories), body: '' })

/**
 * A search finds a service by these words. They are the words in the catalogue of its business, and the ids and values of
 * its categories.
 */
export function serviceTexts(service: Service) {
  const { names, groups, body } = searchTexts(service)
  const categoryTexts = (service.categories ?? []).flatMap(({ id = '', value = '' }) => [id, value])
  return { names, groups: joinedWords([groups, ...categoryTexts]), body }
}

/** One crawl stores at most this many different words. Catalogues in natural languages stay below this limit. */
const MOST_WORDS = 20_000

/**
 * Removes words from a text if they are new and this crawl has already stored the highest number of words. The limit
 * exists because each new word costs the database more than the text that contains it.
 */
export const withinVocabulary = (text: string, vocabulary: Set<string>): string =>
  text
    .split(' ')
    .filter((word) => vocabulary.has(word) || (vocabulary.size < MOST_WORDS && vocabulary.add(word)))
    .join(' ')
