import { readdirSync, readFileSync } from 'node:fs'

export const FOLDER = new URL('../../../../docs/', import.meta.url)

export interface Page {
  /** The path of a documentation page below `/docs/`, such as `running` or `decisions/0001-…`. */
  path: string
  title: string
  markdown: string
}

/** The paths of the guides, in their order on the start page of the documentation. */
const GUIDES = [
  'owners',
  'calendars',
  'company-sign-in',
  'running',
  'settings',
  'scale',
  'callers',
  'platforms',
  'errors',
  'import',
  'directory',
]

let known: ReadonlyMap<string, Page> | undefined

/**
 * Returns all pages of the folder `docs`, the guides first. The server reads the files at the first request, because
 * most servers never show these pages.
 */
export const pages = (): ReadonlyMap<string, Page> => (known ??= readPages())

function readPages(): ReadonlyMap<string, Page> {
  const paths = [...pathsIn(''), ...pathsIn('decisions/')].toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
  return new Map(paths.map((path) => [path, readPage(path)]))
}

export const isGuide = ({ path }: Page) => GUIDES.includes(path)

export const isDecision = ({ path }: Page) => path.startsWith('decisions/')

function pathsIn(folder: string): string[] {
  const names = readdirSync(new URL(folder, FOLDER)).filter((name) => name.endsWith('.md'))
  return names.map((name) => folder + name.slice(0, -'.md'.length))
}

const rank = (path: string) => (GUIDES.includes(path) ? GUIDES.indexOf(path) : GUIDES.length)

function readPage(path: string): Page {
  const markdown = readFileSync(new URL(`${path}.md`, FOLDER), 'utf8')
  return { path, title: plain(/^# (.+)$/m.exec(markdown)?.[1] ?? path), markdown }
}

/** Returns the plain text of a Markdown page, without the characters that mark links, tables, code and bold words. */
export const plain = (markdown: string) =>
  withoutLinks(markdown)
    .replace(/^ *```.*$/gm, '')
    .replace(/^[ |:-]+$/gm, '')
    .replaceAll('|', ' ')
    .replace(/[`*]/g, '')
    .replace(/\s+/g, ' ')
    .trim()

/** Replaces each Markdown link `[words](target)` with its words. */
function withoutLinks(markdown: string): string {
  const [first = '', ...others] = markdown.split('](')
  return [first, ...others.map((rest) => rest.slice(rest.indexOf(')') + 1))].join('').replaceAll('[', '')
}
