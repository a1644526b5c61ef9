import { advanceClock } from '../src/sandbox-clock/advance-clock.ts'
import type { WorkerSpec } from './run.ts'

export const clock = { carries: 'rows', action: advanceClock } as const satisfies WorkerSpec
