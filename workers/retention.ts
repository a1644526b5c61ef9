import { forgetOld } from '../src/upkeep/forget-old.ts'
import type { WorkerSpec } from './run.ts'

export const retention = { carries: 'nothing', round: forgetOld } as const satisfies WorkerSpec
