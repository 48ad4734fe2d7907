import { BroadcastChannel, isMainThread } from 'node:worker_threads'

/** Has each thread of a server do it whenever that gets SIGWINCH: signals are heard by the first thread alone. */
export function atEachSignal(act: () => void): void {
  const channel = new BroadcastChannel('signal')
  channel.onmessage = act
  channel.unref()
  if (!isMainThread) return
  process.on('SIGWINCH', () => {
    act()
    channel.postMessage('')
  })
}
