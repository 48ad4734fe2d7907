import { isIP } from 'node:net'
import { invalidInput } from '../../protocol/errors.ts'
import type { UcpSignals } from '../../protocol/types.generated.ts'

const AGENT_HOST = 'dev.usp-protocol.agent_host_ip'

/**
 * A UCP request can contain the network address of the agent in the member `signals`. The server checks only the format
 * of the address. It does not use or store the address, which says nothing about the buyer.
 */
export function checkSignals(signals: UcpSignals | undefined): void {
  const address = signals?.[AGENT_HOST]
  if (address !== undefined && isIP(address) === 0)
    throw invalidInput('The address must be an IPv4 or IPv6 address.', `$.signals['${AGENT_HOST}']`)
}
