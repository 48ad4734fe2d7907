import { ask } from './bridge.js'
import { say } from './words.js'

/** The current screen is a function, so the view can render it again in another language. */

const main = document.querySelector('main')
let current = () => []
let isBusy = false
export const can = {}

/** Creates an element. String children become text nodes, never HTML. */
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

/** A button for a tool call; nothing when the host does not pass tool calls on. */
export const button = (text, press, { className = '', about } = {}) =>
  can.serverTools &&
  make('button', { type: 'button', className, onclick: press, ...(about && { ariaLabel: `${text}: ${about}` }) }, text)

/** A select that gets the focus back after the choice has rendered the screen again. */
export function field(id, label, options, choose) {
  const again = ({ target }) => {
    choose(target.value)
    document.getElementById(id)?.focus()
  }
  const choices = options.map((properties) => make('option', properties))
  const control = make('select', { id, onchange: again }, ...choices)
  return make('p', {}, make('label', { htmlFor: id }, label), control)
}

/** Facts in one row. Each has its own span, to break lines between facts. */
export const facts = (...parts) =>
  make(
    'p',
    { className: 'facts' },
    ...parts.filter(Boolean).flatMap((fact, index) => [index > 0 && ' · ', make('span', {}, fact)]),
  )

/** Chooses the screen for a tool result. `view.js` sets it, because it imports all screens. */
let chosenScreen
export const showBy = (way) => {
  chosenScreen = way
}

/**
 * Calls a tool and shows its result, together with `besides`. When the tool first wants a cost agreed, `costs` asks the
 * person.
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

/** Reports the action to the model, if the host supports that. */
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
  // The list of times may be longer than the visible part.
  main.querySelector('h1').after(alert)
  alert.scrollIntoView({ block: 'nearest' })
}

/** Opens a page in the browser. If the host refuses, shows the URL for copying. */
export async function open(url) {
  const { isError } = await ask('ui/open-link', { url }).catch(() => ({ isError: true }))
  if (!isError || main.querySelector('.address')) return
  main.append(make('p', { className: 'address', dir: 'ltr' }, url))
}
