import { isOpenToAssistants, isOpenToBrowsers } from '../core/business/definition-facts.ts'
import { USP } from '../infra/util/command-line-error.ts'
import { ASSISTANT_PATH, MCP_PATH, REST_BASE } from '../protocol/base-url-paths.ts'
import { deploymentOf } from '../protocol/deployment-modes.ts'
import type { Runtime } from '../server/build-dependencies.ts'

/** The ways in which the operator of a new development server signs in as its owner: a token file or a desk link. */
export interface Owner {
  tokenFile?: string
  deskLink: string
}

const TO_DO = `  Open the desk and answer five questions: then people can book. Or apply a file: ${USP} apply FILE
`

/** Returns the text that a development server prints at its start: its URLs, and the first commands to try. */
export async function startupBanner({ config, business }: Runtime, owner: Owner | undefined): Promise<string> {
  const definition = await business.get()
  const [service] = definition?.services ?? []
  const url = config.baseUrl
  const profile = url + deploymentOf(definition).profilePath
  return `
  ${definition?.business.name ?? 'The server'} is served at ${url}

${definition && isOpenToBrowsers(definition) ? `    Book      ${url}/book\n` : ''}${definition && isOpenToAssistants(definition) ? `    Assistant ${url}${ASSISTANT_PATH}\n` : ''}    Profile   ${profile}
    Docs      ${url}/docs
    MCP       ${url}${MCP_PATH}
${config.mail ? '' : `    Mails     ${url}/mails\n`}${owner ? `    Desk      ${owner.deskLink} (once)\n` : ''}${owner?.tokenFile ? `    Owner     the token is in ${owner.tokenFile}\n` : ''}
${
  definition
    ? `  Try:

    curl ${profile}
    curl ${url}${REST_BASE}/services/list -H 'Content-Type: application/json' -d '{"query":"hair"}'
    curl ${url}${REST_BASE}/services/${service?.id ?? 'ID'}
`
    : TO_DO
}
  Ctrl-C stops it.
`
}
