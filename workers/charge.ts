import { makeCharge } from '../src/payments/make-charge.ts'
import type { WorkerSpec } from './run.ts'

export const charge = { carries: 'rows', action: makeCharge } as const satisfies WorkerSpec
