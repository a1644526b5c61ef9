import { makeCharge } from '../src/payments/make-charge.ts'
import type { WorkerSpec } from './run.ts'

export const charge: WorkerSpec = { carries: 'rows', action: makeCharge }
