import type { Operation } from '../../protocol/define-operation.ts'
import { getService } from './get-service.ts'
import { getServiceFeed } from './get-service-feed.ts'
import { listServices } from './list-services.ts'
import { lookupServices } from './lookup-services.ts'

export const operations: Operation[] = [listServices, getService, lookupServices, getServiceFeed]
