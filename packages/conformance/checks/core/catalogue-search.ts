import type { Members } from '../../caller/answer.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual, expectTrue } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { check } from '../check.ts'
import { readAll, readPage } from './pages.ts'
import { categoriesOf, descriptionOf, firstOf, idsOf } from './service-facts.ts'

const wordsOf = (text: unknown): string[] =>
  String(text ?? '')
    .toLowerCase()
    .match(/(?<![\p{L}\p{N}'’-])[a-z]{5,}(?![\p{L}\p{N}'’-])/gu) ?? []

interface Texts {
  id: unknown
  name: string[]
  categories: string[]
  description: string[]
  /** The complete service as one text. A search may use any part of this text. */
  all: string
}

const textsOf = (service: Members): Texts => ({
  id: service.id,
  name: wordsOf(service.name),
  categories: categoriesOf(service).flatMap(({ name }) => wordsOf(name)),
  description: wordsOf(descriptionOf(service)),
  all: JSON.stringify(service).toLowerCase(),
})

/** Returns the texts of each service. Skips the check if the business offers no search. */
function searchable({ services, target }: CheckContext): Texts[] {
  if (target.capability('services.catalog')?.search !== true)
    throw new Skip('The business offers no search in its catalogue.')
  return services.map(textsOf)
}

const search = async ({ anonymous }: CheckContext, query: string) =>
  idsOf((await readPage(anonymous, 'listServices', { query }, {})).items)

/** Finds a word that only one service contains. This service is not the first of the catalogue. */
function ownWord(texts: Texts[], wordsIn: (texts: Texts) => string[], place: string): { id: unknown; word: string } {
  const matches = texts.slice(1).flatMap((own) =>
    wordsIn(own)
      .filter((word) => texts.every((other) => other === own || !other.all.includes(word)))
      .map((word) => ({ id: own.id, word })),
  )
  return firstOf(matches, `word that only ${place} contains`)
}

export const catalogueSearchChecks = [
  check('CAT-016', 'A search for a word of only one name returns this service first', async (c) => {
    const { id, word } = ownWord(searchable(c), ({ name }) => name, 'a name')
    expectEqual((await search(c, word))[0], id, `the first service for ${word}`)
  }),
  check('CAT-017', 'A search for a word of only one description returns this service first', async (c) => {
    const { id, word } = ownWord(searchable(c), ({ description }) => description, 'a description')
    expectEqual((await search(c, word))[0], id, `the first service for ${word}`)
  }),
  check('CAT-018', 'A search for a word of a category name returns a service of this category first', async (c) => {
    const { id, word } = ownWord(searchable(c), ({ categories }) => categories, 'the name of a category')
    expectEqual((await search(c, word))[0], id, `the first service for ${word}`)
  }),
  check('CAT-019', 'A match in the name ranks before a match only in the description', async (c) => {
    const texts = searchable(c)
    const pairs = texts.flatMap((named) =>
      texts.flatMap((described) =>
        named.name
          .filter((word) => described.description.includes(word))
          .filter((word) => ![...described.name, ...described.categories].some((own) => own.includes(word)))
          .map((word) => ({ word, first: named.id, second: described.id })),
      ),
    )
    const { word, first, second } = firstOf(pairs, 'word in one name and in another description')
    const ids = await search(c, word)
    const [before, after] = [ids.indexOf(first), ids.indexOf(second)]
    expectTrue(before >= 0 && (after < 0 || before < after), `${first} before ${second} for ${word}`, ids)
  }),
  check('CAT-020', 'A search returns only services that match the filters', async (c) => {
    const word = firstOf(
      c.services.flatMap(({ name }) => wordsOf(name)),
      'service with a word in its name',
    )
    const own = c.services.find(({ name }) => wordsOf(name).includes(word))
    const other = c.services.find(({ type }) => type !== own?.type)
    if (!other) throw new Skip('All services have the same type.')
    const services = await readAll(c.anonymous, 'listServices', { query: word, filters: { type: other.type } })
    const wrong = services.filter(({ type }) => type !== other.type)
    expectEqual(idsOf(wrong), [], `the services for ${word} that are not of the type ${other.type}`)
  }),
  check('CAT-021', 'A business without a search ignores the query', async (c) => {
    if (c.target.capability('services.catalog')?.search === true)
      throw new Skip('The business offers a search in its catalogue.')
    const services = await readAll(c.anonymous, 'listServices', { query: 'qqzzxxconformancenothing' })
    expectEqual(idsOf(services).toSorted(), idsOf(c.services).toSorted(), 'the services')
  }),
  check('CAT-022', 'The server accepts a search query without a word', async ({ anonymous }) => {
    for (const query of ['', '   ', '?!…']) (await anonymous.call('listServices', { query })).success()
  }),
]
