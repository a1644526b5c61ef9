import { resolveDoubt } from '../src/payments/resolve-doubt.ts'
import type { WorkerSpec } from './run.ts'

export const doubt: WorkerSpec = { carries: 'rows', action: resolveDoubt }
