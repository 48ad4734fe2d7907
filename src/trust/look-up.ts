import { Resolver } from 'node:dns/promises'

/** Milliseconds that a nameserver has, twice as many the second time. */
const patience = { timeout: 1_500, tries: 2 }

/**
 * The addresses of a host name that somebody outside chose. The nameservers are asked from here: the system's own look-up
 * would hold one of the few threads of the process until it gives up, and whoever runs a nameserver that never answers
 * could hold them all.
 */
export async function lookUp(host: string, nameservers: readonly string[], signal: AbortSignal): Promise<string[]> {
  if (isLocalhost(host)) return ['127.0.0.1', '::1']
  const resolver = new Resolver(patience)
  if (nameservers.length > 0) resolver.setServers(nameservers)
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  signal.removeEventListener('abort', cancel)
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
}

/** These names are never asked for (RFC 6761). */
const isLocalhost = (host: string) => /(^|\.)localhost\.?$/i.test(host)
