/** Milliseconds of processor time that the reference takes where nobody else is at work, on the machine of our CI. */
const USUAL = 3
const ATTEMPTS = 7
const reference = JSON.stringify(Array.from({ length: 20_000 }, (_, nth) => ({ id: `item_${nth}`, price: nth * 1.5 })))

/** How many times slower than usual the processor is just now, and never less than once: neighbours share its caches. */
export function slowness(): number {
  let least = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const before = process.threadCpuUsage()
    JSON.stringify(JSON.parse(reference))
    const { user, system } = process.threadCpuUsage(before)
    least = Math.min(least, (user + system) / 1000)
  }
  return Math.max(1, least / USUAL)
}
