import { bookingScreen, bookingsScreen } from './bookings.js'
import { ask, listen, tell, tellSize } from './bridge.js'
import { holdScreen, statusScreen } from './hold.js'
import { can, draw, make, show, showBy, title } from './screen.js'
import { servicesScreen } from './services.js'
import { timesScreen } from './times.js'
import { say, speak } from './words.js'

let toolInput = {}
const context = {}

function settle(changed) {
  Object.assign(context, changed)
  if (context.theme) document.documentElement.style.colorScheme = context.theme
  speak(context.locale ?? navigator.language)
  draw()
}

function screenOf(result, besides) {
  const { services, times, bookings, link, state, booking_id } = result.structuredContent ?? {}
  if (result.isError) return textScreen(result)
  if (services) return servicesScreen(result)
  if (times) return timesScreen(result, besides)
  if (bookings) return bookingsScreen(result)
  if (link) return holdScreen(result, besides)
  if (booking_id) return bookingScreen(result)
  return state ? statusScreen(result) : textScreen(result)
}

/**
 * The screen for tool results that have no special screen. This screen shows the text of the result, which the server
 * wrote for the AI model.
 */
const textScreen =
  ({ content = [], isError }) =>
  () => [
    title(say(isError ? 'view.failed' : 'book.confirm')),
    ...content
      .filter(({ type }) => type === 'text')
      .map(({ text }) => make('p', { className: isError ? 'text soft' : 'text', lang: 'en', dir: 'auto' }, text)),
  ]

showBy(screenOf)
listen({
  'ui/notifications/tool-input': ({ arguments: input = {} }) => {
    toolInput = input
  },
  'ui/notifications/tool-result': (result) => show(screenOf(result, { input: toolInput })),
  'ui/notifications/host-context-changed': settle,
})

const view = { appInfo: { name: 'booking', version: '1' }, appCapabilities: {}, protocolVersion: '2026-01-26' }
const { hostCapabilities, hostContext } = await ask('ui/initialize', view)
Object.assign(can, hostCapabilities)
settle(hostContext)
tell('ui/notifications/initialized')
tellSize()
