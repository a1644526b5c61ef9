import { makeCharge } from '../src/payments/make-payment.ts'
import type { WorkerSpec } from './run.ts'

export const charge = { carries: 'rows', action: makeCharge } as const satisfies WorkerSpec
