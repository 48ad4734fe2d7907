import type { Operation } from '../../protocol/operation.ts'
import { confirmPayment } from './confirm-payment.ts'

export const operations: Operation[] = [confirmPayment]
