import { SaxesParser } from 'saxes'

/** The deepest nesting and the largest number of attributes that an answer of a CalDAV server may have. */
const MAX_DEPTH = 30
const MAX_ATTRIBUTES = 30

export const DAV = 'DAV:'
export const CALDAV = 'urn:ietf:params:xml:ns:caldav'
export const CALENDAR_SERVER = 'http://calendarserver.org/ns/'

/** An XML element below a `response`. `name` is the namespace and the local name, such as `DAV: href`. */
export interface Element {
  name: string
  /** The attribute `name`, which CalDAV uses for the types of components. */
  label: string | undefined
  text: string
  children: Element[]
}

/** The answer of a CalDAV server about one of its resources. */
export interface DavResponse {
  href: string
  /** The status of the whole response. A response with properties has a status for each group of properties instead. */
  status: number | undefined
  /** The properties that the server has found. */
  found: Element[]
}

/** The error for an answer that is no complete multistatus document. */
export class MultistatusError extends Error {
  override name = 'MultistatusError'
  /** Whether the document begins like a multistatus document. Then a later part of it is missing or wrong. */
  readonly isBegun: boolean

  constructor(isBegun: boolean) {
    super('The answer is no complete multistatus document.')
    this.isBegun = isBegun
  }
}

/**
 * Reads a multistatus document, and calls `take` for each of its responses. Returns the sync token of the document. The
 * parser knows no entities except the five of XML, and the function refuses document types. So no entity can expand.
 */
export function readMultistatus(
  content: Uint8Array,
  take: (response: DavResponse) => void,
  maxElements: number,
): string | undefined {
  const parser = new SaxesParser({ xmlns: true })
  const open: Element[] = []
  let [elements, attributes] = [0, 0]
  let token: string | undefined
  let isBegun = false
  let isClosed = false
  const refuse = (): never => {
    throw new MultistatusError(isBegun)
  }
  parser.on('error', refuse)
  parser.on('doctype', refuse)
  parser.on('attribute', () => {
    if (++attributes > MAX_ATTRIBUTES) refuse()
  })
  parser.on('opentagstart', () => {
    attributes = 0
    if (open.length >= MAX_DEPTH || ++elements > maxElements) refuse()
  })
  parser.on('opentag', ({ uri, local, attributes: all }) => {
    const label = Object.hasOwn(all, 'name') ? all.name?.value : undefined
    const element = { name: `${uri} ${local}`, label, text: '', children: [] }
    if (open.length === 0 && element.name !== `${DAV} multistatus`) refuse()
    isBegun = true
    // The document element collects no children, so that each response is freed after `take`.
    if (open.length > 1) open.at(-1)?.children.push(element)
    open.push(element)
  })
  const addText = (text: string) => {
    const element = open.at(-1)
    if (element) element.text += text
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('closetag', () => {
    const element = open.pop()
    if (element && open.length === 1 && element.name === `${DAV} response`) take(toResponse(element))
    if (element && open.length === 1 && element.name === `${DAV} sync-token`) token = element.text.trim()
    if (open.length === 0) isClosed = true
  })
  parser.write(decoded(content, refuse)).close()
  if (!isClosed) refuse()
  return token
}

function decoded(content: Uint8Array, refuse: () => never): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content)
  } catch {
    return refuse()
  }
}

export const childOf = (element: Element | undefined, name: string): Element | undefined =>
  element?.children.find((one) => one.name === name)

function toResponse(response: Element): DavResponse {
  const found = response.children
    .filter(({ name }) => name === `${DAV} propstat`)
    .filter((group) => isSuccess(statusOf(group)))
    .flatMap((group) => childOf(group, `${DAV} prop`)?.children ?? [])
  return { href: childOf(response, `${DAV} href`)?.text.trim() ?? '', status: statusOf(response), found }
}

const isSuccess = (status: number | undefined) => status !== undefined && status >= 200 && status < 300

/** The status in a line such as `HTTP/1.1 404 Not Found`. */
function statusOf(element: Element): number | undefined {
  const [, status] = /^HTTP\/[\d.]{1,5} (\d{3})/.exec(childOf(element, `${DAV} status`)?.text.trim() ?? '') ?? []
  return status === undefined ? undefined : Number(status)
}
