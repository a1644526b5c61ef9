import { webhookRound } from '../src/webhooks/webhook-round.ts'
import type { WorkerSpec } from './run.ts'

export const webhook = { carries: 'nothing', round: webhookRound } as const satisfies WorkerSpec
