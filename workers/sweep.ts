import { sweep as sweepOnce } from '../src/upkeep/sweep.ts'
import type { WorkerSpec } from './run.ts'

export const sweep = { carries: 'nothing', round: sweepOnce } as const satisfies WorkerSpec
