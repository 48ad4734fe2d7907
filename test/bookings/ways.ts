import { vi } from 'vitest'
import type { BusinessDefinition } from '../../src/protocol/types.generated.ts'
import { visitor } from '../booking-flow/visitor.ts'
import { assistant, type Heard } from '../interfaces/assistant/talk.ts'
import { deskSalon } from '../interfaces/desk/receptionist.ts'
import { signedIn } from '../oauth/assistant.ts'
import { browser } from '../pages/shop.ts'
import { mcpDesk, restDesk, type Shop } from '../support/desk.ts'
import type { Answer } from '../support/server.ts'

/** After all times of the tests, so that no token and no browser session expires before. */
const LATER = new Date('2027-06-01T12:00:00Z')

/** A shop, and a caller of each of its interfaces. */
export async function openInterfaces(definition: BusinessDefinition) {
  const { shop, signedIn: signedInAtDesk } = await deskSalon({}, definition)
  const { now } = shop.time
  shop.time.now = LATER
  const [access, owner] = [await accessOfAssistant(shop), await signedInAtDesk('owner')]
  shop.time.now = now
  return {
    shop,
    rest: restDesk(shop),
    mcp: mcpDesk(shop),
    page: browser(shop),
    buyerAtPage: visitor(shop),
    assistant: assistant(shop, { headers: { authorization: `Bearer ${access}` } }),
    /** Opens a page of the desk for its form token, and sends a form. */
    async sendAtDesk(url: string, form: Record<string, string>) {
      await owner.open('/desk/devices')
      return owner.send(url, form)
    },
  }
}

/** The authorization server uses the clock of the machine. */
async function accessOfAssistant(shop: Shop): Promise<string> {
  vi.useFakeTimers({ toFake: ['Date'], now: shop.time.now })
  try {
    return (await signedIn(shop)).access
  } finally {
    vi.useRealTimers()
  }
}

export const resultOfTool = ({ isError }: Heard) => (isError ? 'refused' : 'done')

export function resultOfForm({ status, body }: Answer): 'refused' | 'done' {
  if (status === 303) return 'done'
  if ([409, 410, 422].includes(status)) return 'refused'
  throw new Error(`Neither done nor refused: ${status} ${body}`)
}

/** How a way refuses: with an error code over REST and MCP. */
export const refusalBy = (way: string, code: string): string => (/REST|MCP/.test(way) ? code : 'refused')
