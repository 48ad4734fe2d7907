import { Resolver } from 'node:dns/promises'
import { setTimeout as pass } from 'node:timers/promises'

/** Milliseconds until a nameserver must answer. c-ares doubles them for the second try. */
const resolverOptions = { timeout: 1_500, tries: 2 }
/** Milliseconds that the lookup waits for the second address family. Some nameservers answer for one family only. */
const SECOND_FAMILY_WAIT_MS = 300

/**
 * Resolves a host name that a caller named. It does not use the lookup of the operating system, which blocks one of the few
 * threads of the process until its timeout. A nameserver that never answers could block all of them.
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
    () => Promise.race([both, pass(SECOND_FAMILY_WAIT_MS)]),
    () => {},
  )
  signal.removeEventListener('abort', cancel)
  cancel()
  return found
}

/** These names always mean loopback and need no nameserver (RFC 6761). */
const isLocalhost = (host: string) => /(^|\.)localhost\.?$/i.test(host)
