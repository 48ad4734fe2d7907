import { ask } from './bridge.js'
import { say } from './words.js'

/**
 * Renders the screens of the view. A screen is a function, so that the view can render the current screen again in
 * another language.
 */

const main = document.querySelector('main')
let current = () => []
let isBusy = false
export const can = {}

/** Creates an HTML element. Children that are strings become text, never HTML. */
export function make(name, properties, ...children) {
  const element = Object.assign(document.createElement(name), properties)
  element.append(...children.filter((child) => child !== undefined && child !== false && child !== ''))
  return element
}

export const draw = () => main.replaceChildren(...current().filter(Boolean))

/** Shows a screen. After an action of the person, the focus moves to the heading. */
export function show(screen, { isAnswer = false } = {}) {
  current = screen
  draw()
  if (isAnswer) main.querySelector('h1')?.focus()
}

export const title = (text) => make('h1', { tabIndex: -1 }, text)

/** Button that calls a tool. Falsy if the host does not pass tool calls on to the server. */
export const button = (text, press, { className = '', about } = {}) =>
  can.serverTools &&
  make('button', { type: 'button', className, onclick: press, ...(about && { ariaLabel: `${text}: ${about}` }) }, text)

/** Select field with a label. A choice renders the screen again, and the field then gets the focus back. */
export function field(id, label, options, choose) {
  const again = ({ target }) => {
    choose(target.value)
    document.getElementById(id)?.focus()
  }
  const choices = options.map((properties) => make('option', properties))
  const control = make('select', { id, onchange: again }, ...choices)
  return make('p', {}, make('label', { htmlFor: id }, label), control)
}

/** Facts in one row. Each fact has its own span, so that the browser breaks lines between facts. */
export const facts = (...parts) =>
  make(
    'p',
    { className: 'facts' },
    ...parts.filter(Boolean).flatMap((fact, index) => [index > 0 && ' · ', make('span', {}, fact)]),
  )

/** Chooses the screen for a tool result. `view.js` sets the function, because only `view.js` imports all screens. */
let chosenScreen
export const showBy = (way) => {
  chosenScreen = way
}

/**
 * Calls a tool and shows its result, together with the values in `besides`. If the tool requires that the person agrees
 * to a cost, `costs` asks the person.
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

/** Reports the result of an action to the model, if the host supports such reports. */
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
  // Scroll to the message, because the list of times may be longer than the visible part.
  main.querySelector('h1').after(alert)
  alert.scrollIntoView({ block: 'nearest' })
}

/** Opens a page in the browser. If the host refuses, shows the URL for copying. */
export async function open(url) {
  const { isError } = await ask('ui/open-link', { url }).catch(() => ({ isError: true }))
  if (!isError || main.querySelector('.address')) return
  main.append(make('p', { className: 'address', dir: 'ltr' }, url))
}
