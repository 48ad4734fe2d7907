import type { Operation } from '../../protocol/define-operation.ts'
import { confirmPayment } from './confirm-payment.ts'

export const operations: Operation[] = [confirmPayment]
