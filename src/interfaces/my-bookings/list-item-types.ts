import type { BuyerAccount } from '../../domain/accounts/buyer-accounts.ts'
import type { Localizer } from '../../infra/i18n/localizer.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'

export interface Item {
  what: string
  when: string
  where: string | undefined
  state: string
  url: string
}

export interface ListViewer {
  account: BuyerAccount
  definition: BusinessDefinition
  localizer: Localizer
}

export type ItemDependencies = Dependencies<'clock' | 'config' | 'tag'>
