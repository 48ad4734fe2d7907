import type { Operation } from '../../../protocol/define-operation.ts'
import { getDelivery } from './get-delivery.ts'
import { listDeliveries } from './list-deliveries.ts'
import { replayDeliveries } from './replay-deliveries.ts'

export const operations: Operation[] = [listDeliveries, getDelivery, replayDeliveries]
