import { ask } from './bridge.js'
import { say } from './words.js'

/**
 * Renders the screens of the booking view (an HTML page in the assistant's program). Each screen is a function that
 * returns HTML elements. The view calls the function again to show the screen in another language.
 */

const main = document.querySelector('main')
let current = () => []
let isBusy = false
export const can = {}

/** Creates an HTML element. The browser shows a string child as plain text, and never parses the string as HTML. */
export function make(name, properties, ...children) {
  const element = Object.assign(document.createElement(name), properties)
  element.append(...children.filter((child) => child !== undefined && child !== false && child !== ''))
  return element
}

export const draw = () => main.replaceChildren(...current().filter(Boolean))

/**
 * Shows a screen of the booking view. If the person's action led to this screen, the heading of the screen gets the
 * keyboard focus.
 */
export function show(screen, { isAnswer = false } = {}) {
  current = screen
  draw()
  if (isAnswer) main.querySelector('h1')?.focus()
}

export const title = (text) => make('h1', { tabIndex: -1 }, text)

/**
 * Creates a button that calls a tool of the server. Returns false if the host program cannot pass tool calls to the
 * server.
 */
export const button = (text, press, { className = '', about } = {}) =>
  can.serverTools &&
  make('button', { type: 'button', className, onclick: press, ...(about && { ariaLabel: `${text}: ${about}` }) }, text)

/**
 * Creates a select field with a label. Each selection renders the whole screen again and replaces the field. Therefore
 * the new field gets the keyboard focus.
 */
export function field(id, label, options, choose) {
  const again = ({ target }) => {
    choose(target.value)
    document.getElementById(id)?.focus()
  }
  const choices = options.map((properties) => make('option', properties))
  const control = make('select', { id, onchange: again }, ...choices)
  return make('p', {}, make('label', { htmlFor: id }, label), control)
}

/**
 * Shows facts, such as a price and a duration, in one row. Each fact is a `span` element, so the browser breaks lines
 * only between facts.
 */
export const facts = (...parts) =>
  make(
    'p',
    { className: 'facts' },
    ...parts.filter(Boolean).flatMap((fact, index) => [index > 0 && ' · ', make('span', {}, fact)]),
  )

/**
 * The function that chooses the screen for a tool result. `view.js` sets this function, because only `view.js` imports
 * all screens.
 */
let chosenScreen
export const showBy = (way) => {
  chosenScreen = way
}

/**
 * Calls a tool of the server, and shows the screen for the result. `besides` contains additional values for this
 * screen. If the server refuses the call because it costs money, the function `costs` asks the person to agree.
 */
export async function use(tool, input, { besides, costs } = {}) {
  if (isBusy) return
  busy(true)
  try {
    const result = await ask('tools/call', { name: tool, arguments: input })
    busy(false)
    const { cost } = result.structuredContent ?? {}
    if (!result.isError) {
      show(chosenScreen(result, { input, ...besides }), { isAnswer: true })
      if (!tool.startsWith('find_')) report(result)
    } else if (costs && cost !== undefined) costs(result.structuredContent)
    else complain('view.failed')
  } catch {
    busy(false)
    complain('view.failed')
  }
}

/** Sends the result of a person's action to the AI model, if the host program supports this. */
export function report({ content }) {
  if (can.updateModelContext) void ask('ui/update-model-context', { content }).catch(() => undefined)
}

function busy(is) {
  isBusy = is
  main.ariaBusy = String(is)
}

export function complain(message) {
  main.querySelector('[role=alert]')?.remove()
  const alert = make('p', { role: 'alert', className: 'wrong' }, say(message))
  // The script scrolls to the error message, because the person may have scrolled down a long list of times.
  main.querySelector('h1').after(alert)
  alert.scrollIntoView({ block: 'nearest' })
}

/**
 * Asks the host program to open a page in the browser. If the host program refuses, the screen shows the URL, and the
 * person can copy the URL.
 */
export async function open(url) {
  const { isError } = await ask('ui/open-link', { url }).catch(() => ({ isError: true }))
  if (!isError || main.querySelector('.address')) return
  main.append(make('p', { className: 'address', dir: 'ltr' }, url))
}
