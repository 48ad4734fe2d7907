import { Resolver } from 'node:dns/promises'
import { setTimeout as pass } from 'node:timers/promises'

/** Milliseconds that a nameserver has, twice as many the second time. */
const resolverOptions = { timeout: 1_500, tries: 2 }
/** Some answer for one kind of address and keep silent about the other, which is waited for so long. */
const GRACE = 300

/**
 * The addresses of a host name that somebody outside chose. The nameservers are asked from here: the system's own look-up
 * would hold one of the few threads of the process until it gives up, and whoever runs a nameserver that never answers
 * could hold them all.
 */
export async function lookUp(host: string, nameservers: readonly string[], signal: AbortSignal): Promise<string[]> {
  if (isLocalhost(host)) return ['127.0.0.1', '::1']
  const resolver = new Resolver(resolverOptions)
  if (nameservers.length > 0) resolver.setServers(nameservers)
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  const found: string[] = []
  const lookups = [resolver.resolve4(host), resolver.resolve6(host)].map(async (answer) => {
    found.push(...(await answer))
  })
  const both = Promise.allSettled(lookups)
  await Promise.any(lookups).then(
    () => Promise.race([both, pass(GRACE)]),
    () => {},
  )
  signal.removeEventListener('abort', cancel)
  cancel()
  return found
}

/** These names are never asked for (RFC 6761). */
const isLocalhost = (host: string) => /(^|\.)localhost\.?$/i.test(host)
