/** Milliseconds of processor time that were spent without anybody else having a turn, from now until it is asked. */
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
