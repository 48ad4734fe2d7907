import { ask } from './bridge.js'
import { say } from './words.js'

/** What is seen at present: a function that makes it, so that it can be made anew in another language. */

const main = document.querySelector('main')
let current = () => []
let isBusy = false
/** What the host can do for a view. */
export const can = {}

/** Whatever others wrote is a string here, and becomes text. */
export function make(name, properties, ...children) {
  const element = Object.assign(document.createElement(name), properties)
  element.append(...children.filter((child) => child !== undefined && child !== false && child !== ''))
  return element
}

export const draw = () => main.replaceChildren(...current().filter(Boolean))

/** Who pressed something is led to what came of it. */
export function show(screen, { isAnswer = false } = {}) {
  current = screen
  draw()
  if (isAnswer) main.querySelector('h1')?.focus()
}

export const title = (text) => make('h1', { tabIndex: -1 }, text)

/** What cannot be done through this host is not offered. */
export const button = (text, press, { look = '', about } = {}) =>
  can.serverTools &&
  make(
    'button',
    { type: 'button', className: look, onclick: press, ...(about && { ariaLabel: `${text}: ${about}` }) },
    text,
  )

/** A list to choose from, which is still in hand when what was chosen has made the screen anew. */
export function field(id, label, options, choose) {
  const again = ({ target }) => {
    choose(target.value)
    document.getElementById(id)?.focus()
  }
  const choices = options.map((properties) => make('option', properties))
  const control = make('select', { id, onchange: again }, ...choices)
  return make('p', {}, make('label', { htmlFor: id }, label), control)
}

/** Facts beside each other: a line ends between two of them, if it can. */
export const facts = (...told) =>
  make(
    'p',
    { className: 'facts' },
    ...told.filter(Boolean).flatMap((fact, index) => [index > 0 && ' · ', make('span', {}, fact)]),
  )

/** Which screen shows what a tool said: `view.js` knows them all. */
let chosenScreen
export const showBy = (way) => {
  chosenScreen = way
}

/** Calls a tool and shows what it says, with what is known `besides`. Where it first wants a sum agreed to, `costs` asks for that. */
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

/** The model is told of what was done here, where the host passes that on. */
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
  // A list of times is longer than what is seen of it.
  main.querySelector('h1').after(alert)
  alert.scrollIntoView({ block: 'nearest' })
}

/** A page that only a browser can show; where the host does not open it, its address is there to be copied. */
export async function open(url) {
  const { isError } = await ask('ui/open-link', { url }).catch(() => ({ isError: true }))
  if (!isError || main.querySelector('.address')) return
  main.append(make('p', { className: 'address', dir: 'ltr' }, url))
}
