import { isIP } from 'node:net'
import { isLoopback } from '../net/ip-addresses.ts'
import { PlainError } from '../util/command-line-error.ts'

export interface MetricsAddress {
  host: string
  port: number
}

export const isMetricsAddress = (text: string): boolean => parsed(text) !== undefined

/**
 * Reads the IP address and port at which the server offers its metrics. If other machines can reach this address, the
 * operator must also set an access token.
 */
export function metricsAddress({ METRICS_ADDRESS: text, METRICS_TOKEN: token }: Record<string, unknown>) {
  const address = text === undefined ? undefined : parsed(String(text))
  if (address && token === undefined && !isLoopback(address.host))
    throw new PlainError(`METRICS_ADDRESS ${text} can be reached from other machines: set METRICS_TOKEN too.`)
  return address
}

function parsed(text: string): MetricsAddress | undefined {
  const [, bracketed, plain = '', digits] = /^(?:\[([\da-f:.]+)\]|([\d.]+)):(\d{1,5})$/i.exec(text) ?? []
  const host = bracketed ?? plain
  const port = Number(digits)
  return isIP(host) > 0 && port >= 1 && port <= 65535 ? { host, port } : undefined
}
