/** CPU milliseconds of the reference work on an idle CI machine. */
const USUAL_MS = 3
const ATTEMPTS = 7
const reference = JSON.stringify(Array.from({ length: 20_000 }, (_, nth) => ({ id: `item_${nth}`, price: nth * 1.5 })))

/** The current slowdown of the CPU, at least 1: other processes share its caches. */
export function slowness(): number {
  let least = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const before = process.threadCpuUsage()
    JSON.stringify(JSON.parse(reference))
    const { user, system } = process.threadCpuUsage(before)
    least = Math.min(least, (user + system) / 1000)
  }
  return Math.max(1, least / USUAL_MS)
}
