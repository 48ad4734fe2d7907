import { Socket } from 'node:net'
import { atEachSignal } from './at-each-signal.ts'

/**
 * Node loads this file before each thread of a server (`--import`). The file redirects connections from the first port
 * to the second or the third port. Each signal switches between these two, and closes all open connections. The server
 * then reconnects. This needs no proxy.
 */
const [configuredPort, ...ports] = (process.env.BENCH_PORTS ?? '').split(' ').map(Number)
let turn = 0
const open = new Set<Socket>()
const { connect } = Socket.prototype
Socket.prototype.connect = function (this: Socket, ...args: unknown[]) {
  if (args[0] === configuredPort) {
    args[0] = ports[turn]
    open.add(this)
    this.once('close', () => open.delete(this))
  }
  return Reflect.apply(connect, this, args)
}
atEachSignal(() => {
  turn = 1 - turn
  for (const socket of open) socket.destroy()
})
