import { pages, plain } from './documentation-pages.ts'
import { anchorMaker } from './render-markdown.ts'

interface Section {
  page: string
  path: string
  anchor: string
  heading: string
  text: string
  lowered: string
}

export interface Match extends Section {
  excerpt: string
}

const MAX_WORDS = 6
const MAX_MATCHES = 30
const EXCERPT_CHARACTERS = 220

/** Finds the sections of the documentation that contain every word of the query, the best matches first. */
export function search(query: string): Match[] {
  const words = wordsOf(query)
  if (words.length === 0) return []
  const found = sections().filter(({ lowered }) => words.every((word) => lowered.includes(word)))
  const scored = found.map((section) => ({ section, score: scoreOf(section, words) }))
  return scored
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MAX_MATCHES)
    .map(({ section }) => ({ ...section, excerpt: excerptOf(section.text, words) }))
}

const wordsOf = (query: string) => [...new Set(query.toLowerCase().match(/[\p{L}\p{N}_./-]{2,}/gu))].slice(0, MAX_WORDS)

/**
 * Rates how well a section of the documentation matches a search. A word in the heading or in the page title counts
 * more than a word in the text. A page about a decision counts half, because most readers need a guide.
 */
function scoreOf({ page, heading, lowered, path }: Section, words: string[]): number {
  const titles = [heading, page].map((title) => title.toLowerCase())
  const inTitles = words.flatMap((word) => titles.filter((title) => title.includes(word))).length
  const inText = words.map((word) => Math.min(lowered.split(word).length - 1, 5)).reduce((sum, count) => sum + count, 0)
  return (inTitles * 10 + inText) * (path.startsWith('decisions/') ? 0.5 : 1)
}

let known: Section[] | undefined

const sections = (): Section[] => (known ??= readSections())

const readSections = (): Section[] =>
  [...pages().values()].flatMap(({ path, title, markdown }) => {
    const anchors = anchorMaker()
    const parts = withIndentedCode(markdown).split(/^(?=#{1,4} )/m)
    const sectionsOfPage = parts.map((part) => {
      const heading = /^#+ (.*)/.exec(part)?.[1] ?? title
      const text = plain(part.replace(/^#+ .*/, ''))
      return {
        page: title,
        path,
        anchor: anchors(heading),
        heading: plain(heading),
        text,
        lowered: `${heading} ${text}`.toLowerCase(),
      }
    })
    // The search leaves out sections without text. For example, the title of a page is often followed directly by
    // another heading.
    return sectionsOfPage.filter(({ text }) => text !== '')
  })

/**
 * Indents code blocks before the search splits the page at its headings. Without the indent, a comment in the code that
 * starts with # would look like a heading.
 */
function withIndentedCode(markdown: string): string {
  let isCode = false
  const lines = markdown.split('\n').map((line) => {
    if (line.startsWith('```')) isCode = !isCode
    return isCode ? ` ${line}` : line
  })
  return lines.join('\n')
}

function excerptOf(text: string, words: string[]): string {
  const at = Math.min(
    ...words.map((word) => text.toLowerCase().indexOf(word)).filter((index) => index >= 0),
    text.length,
  )
  const from = at < EXCERPT_CHARACTERS ? 0 : text.lastIndexOf(' ', at - EXCERPT_CHARACTERS / 3) + 1
  const end = text.indexOf(' ', from + EXCERPT_CHARACTERS)
  return `${from > 0 ? '… ' : ''}${end < 0 ? text.slice(from) : `${text.slice(from, end)} …`}`
}
