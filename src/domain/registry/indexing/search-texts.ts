import type { Service } from '../../../protocol/types.generated.ts'
import { joinedWords, searchTexts, searchVector } from '../../catalog/search.ts'

export const businessWords = ({ name, categories }: { name: string; categories: string[] }) =>
  searchVector({ names: joinedWords([name]), groups: joinedWords(categories), body: '' })

/** Search words of a service: those of its own catalogue, and the ids and values of its categories. */
export function serviceTexts(service: Service) {
  const { names, groups, body } = searchTexts(service)
  const categoryTexts = (service.categories ?? []).flatMap(({ id = '', value = '' }) => [id, value])
  return { names, groups: joinedWords([groups, ...categoryTexts]), body }
}

/** Limit of different words that one crawl stores. A catalogue in a natural language stays below it. */
const MOST_WORDS = 20_000

/** Keeps known words, and new words up to the limit. A new word costs the database more than its text. */
export const withinVocabulary = (text: string, vocabulary: Set<string>): string =>
  text
    .split(' ')
    .filter((word) => vocabulary.has(word) || (vocabulary.size < MOST_WORDS && vocabulary.add(word)))
    .join(' ')
