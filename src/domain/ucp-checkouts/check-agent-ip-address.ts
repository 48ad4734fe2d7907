import { isIP } from 'node:net'
import { invalidInput } from '../../protocol/errors.ts'
import type { UcpSignals } from '../../protocol/types.generated.ts'

const AGENT_HOST = 'dev.usp-protocol.agent_host_ip'

/**
 * Checks the format of the agent's IP address, which a UCP request can contain in the property `signals`. The server
 * does not use or store this address, because it says nothing about the buyer.
 */
export function checkSignals(signals: UcpSignals | undefined): void {
  const address = signals?.[AGENT_HOST]
  if (address !== undefined && isIP(address) === 0)
    throw invalidInput('The address must be an IPv4 or IPv6 address.', `$.signals['${AGENT_HOST}']`)
}
