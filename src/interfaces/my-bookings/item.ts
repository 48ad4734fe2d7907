import type { BuyerAccount } from '../../domain/accounts/buyer-accounts.ts'
import type { Speech } from '../../infra/i18n/speech.ts'
import type { Means } from '../../protocol/means.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'

export interface Item {
  what: string
  when: string
  where: string | undefined
  state: string
  url: string
}

export interface Looking {
  account: BuyerAccount
  definition: BusinessDefinition
  speech: Speech
}

export type ItemMeans = Means<'clock' | 'config' | 'tag'>
