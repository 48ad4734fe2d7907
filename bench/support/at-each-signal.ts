import { BroadcastChannel, isMainThread } from 'node:worker_threads'

/**
 * Runs the function in each thread of a server when the server gets the signal SIGWINCH. Only the main thread receives
 * signals, so it informs the other threads.
 */
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
