import { makeRefund } from '../src/payments/make-payment.ts'
import type { WorkerSpec } from './run.ts'

export const refund = { carries: 'rows', action: makeRefund } as const satisfies WorkerSpec
