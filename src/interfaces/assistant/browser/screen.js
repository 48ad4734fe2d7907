import { ask } from './bridge.js'
import { say } from './words.js'

/**
 * Renders the screens of the booking view. A screen is a function. The view calls it again to render the screen in
 * another language.
 */

const main = document.querySelector('main')
let current = () => []
let isBusy = false
export const can = {}

/** Creates an HTML element. A child that is a string becomes text in the element, and is never parsed as HTML. */
export function make(name, properties, ...children) {
  const element = Object.assign(document.createElement(name), properties)
  element.append(...children.filter((child) => child !== undefined && child !== false && child !== ''))
  return element
}

export const draw = () => main.replaceChildren(...current().filter(Boolean))

/**
 * Shows a screen of the booking view. If the screen is the result of the person's action, the heading of the screen
 * gets the focus.
 */
export function show(screen, { isAnswer = false } = {}) {
  current = screen
  draw()
  if (isAnswer) main.querySelector('h1')?.focus()
}

export const title = (text) => make('h1', { tabIndex: -1 }, text)

/**
 * Creates a button that calls a tool. Returns false instead if the host program cannot pass tool calls to the server.
 */
export const button = (text, press, { className = '', about } = {}) =>
  can.serverTools &&
  make('button', { type: 'button', className, onclick: press, ...(about && { ariaLabel: `${text}: ${about}` }) }, text)

/**
 * Creates a select field with a label. Each selection renders the whole screen again, so the new field must get the
 * focus.
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
 * Shows facts in one row. Each fact has its own `span` element, so that the browser breaks lines only between facts.
 */
export const facts = (...parts) =>
  make(
    'p',
    { className: 'facts' },
    ...parts.filter(Boolean).flatMap((fact, index) => [index > 0 && ' · ', make('span', {}, fact)]),
  )

/**
 * The function that chooses the screen for a tool result. The module `view.js` sets this function, because only
 * `view.js` knows all screens.
 */
let chosenScreen
export const showBy = (way) => {
  chosenScreen = way
}

/**
 * Calls a tool, and shows its result together with the values in `besides`. If the server refuses the call because it
 * costs money, the function `costs` asks the person.
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

/** Tells the AI model the result of a person's action in the booking view, if the host program can pass this on. */
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

/** Opens a page in the browser. If the host program refuses, shows the URL, so the person can copy it. */
export async function open(url) {
  const { isError } = await ask('ui/open-link', { url }).catch(() => ({ isError: true }))
  if (!isError || main.querySelector('.address')) return
  main.append(make('p', { className: 'address', dir: 'ltr' }, url))
}
