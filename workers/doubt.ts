import { resolveDoubt } from '../src/payments/resolve-doubt.ts'
import type { WorkerSpec } from './run.ts'

export const doubt = { carries: 'rows', action: resolveDoubt } as const satisfies WorkerSpec
