import { nudgeDueBatches } from '../src/settlement/due-batches.ts'
import { settleBatch } from '../src/settlement/settle-batch.ts'
import type { WorkerSpec } from './run.ts'

export const settlement = {
  carries: 'rows',
  action: settleBatch,
  round: nudgeDueBatches,
} as const satisfies WorkerSpec
