import { resolveDoubt } from '../src/payments/make-payment.ts'
import type { WorkerSpec } from './run.ts'

export const doubt = { carries: 'rows', action: resolveDoubt } as const satisfies WorkerSpec
