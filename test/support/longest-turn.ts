/** Measures the longest turn of the event loop, in milliseconds of CPU time, until the returned function is called. */
export function longestTurn(): () => number {
  let [longest, since] = [0, process.threadCpuUsage()]
  const look = () => {
    const { user, system } = process.threadCpuUsage(since)
    longest = Math.max(longest, (user + system) / 1000)
    since = process.threadCpuUsage()
  }
  const next = () => {
    look()
    turn = setImmediate(next)
  }
  let turn = setImmediate(next)
  return () => {
    clearImmediate(turn)
    look()
    return longest
  }
}
