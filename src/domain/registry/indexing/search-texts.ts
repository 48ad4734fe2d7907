import type { Service } from '../../../protocol/types.generated.ts'
import { joinedWords, searchTexts, searchVector } from '../../catalog/search.ts'

export const businessWords = ({ name, categories }: { name: string; categories: string[] }) =>
  searchVector({ names: joinedWords([name]), groups: joinedWords(categories), body: '' })

/**
 * The words of a service for the search: the same words as in the catalogue of its business, and the ids and values of
 * its categories.
 */
export function serviceTexts(service: Service) {
  const { names, groups, body } = searchTexts(service)
  const categoryTexts = (service.categories ?? []).flatMap(({ id = '', value = '' }) => [id, value])
  return { names, groups: joinedWords([groups, ...categoryTexts]), body }
}

/** The most different words that one crawl stores. A catalogue in a natural language stays below this limit. */
const MOST_WORDS = 20_000

/**
 * Keeps the words that the crawl has already stored, and new words up to the limit. A new word costs the database more
 * than the text that contains it.
 */
export const withinVocabulary = (text: string, vocabulary: Set<string>): string =>
  text
    .split(' ')
    .filter((word) => vocabulary.has(word) || (vocabulary.size < MOST_WORDS && vocabulary.add(word)))
    .join(' ')
