// The workers: the action for the jobs of each queue in the catalogue. An entry of another kind
// than in the catalogue does not compile.

import { deliverDue } from '../src/deliveries/deliver-due.ts'
import { emailChannel } from '../src/messages/email-channel.ts'
import { smsChannel } from '../src/messages/sms-channel.ts'
import { makeCharge, makeRefund, resolveDoubt } from '../src/payments/make/make-payment.ts'
import type { QUEUE_CATALOGUE, QueueName } from '../src/queue/catalogue.ts'
import { advanceClock } from '../src/sandbox-clock/advance-clock.ts'
import { schedulesRound } from '../src/schedules/schedules-round.ts'
import { nudgeDueBatches } from '../src/settlement/due-batches.ts'
import { readFeeds } from '../src/settlement/read-feeds.ts'
import { settleBatch } from '../src/settlement/settle-batch.ts'
import { forgetOld } from '../src/upkeep/forget-old.ts'
import { sweep } from '../src/upkeep/sweep.ts'
import { webhookRound } from '../src/webhooks/webhook-channel.ts'
import type { RoundWorker, RowWorker } from './run.ts'

type WorkerOf<Q extends QueueName> = (typeof QUEUE_CATALOGUE)[Q]['carries'] extends 'rows'
  ? RowWorker
  : RoundWorker

export const WORKERS: { readonly [Q in QueueName]: WorkerOf<Q> } = {
  charge: { action: makeCharge },
  refund: { action: makeRefund },
  doubt: { action: resolveDoubt },
  settlement: { action: settleBatch, round: nudgeDueBatches },
  gateway_feed: { round: readFeeds },
  schedules: { round: schedulesRound },
  email: { round: (world) => deliverDue(world, emailChannel(world)) },
  sms: { round: (world) => deliverDue(world, smsChannel(world)) },
  webhook: { round: webhookRound },
  retention: { round: forgetOld },
  clock: { action: advanceClock },
  sweep: { round: sweep },
}
