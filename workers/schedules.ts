import { runSchedules } from '../src/upkeep/run-schedules.ts'
import type { WorkerSpec } from './run.ts'

export const schedules = { carries: 'nothing', round: runSchedules } as const satisfies WorkerSpec
