// The workers, one for each queue of the catalogue, and of the kind that the catalogue says:
// anything else does not compile.

import type { CATALOGUE, QueueName } from '../src/queue/catalogue.ts'
import { charge } from './charge.ts'
import { clock } from './clock.ts'
import { doubt } from './doubt.ts'
import { email } from './email.ts'
import { refund } from './refund.ts'
import { retention } from './retention.ts'
import type { WorkerSpec } from './run.ts'
import { schedules } from './schedules.ts'
import { settlement } from './settlement.ts'
import { sms } from './sms.ts'
import { sweep } from './sweep.ts'
import { tell_gateway } from './tell-gateway.ts'
import { webhook } from './webhook.ts'

type WorkerOf<Q extends QueueName> = Extract<
  WorkerSpec,
  { readonly carries: (typeof CATALOGUE)[Q]['carries'] }
>

export const WORKERS: { readonly [Q in QueueName]: WorkerOf<Q> } = {
  charge,
  refund,
  doubt,
  settlement,
  tell_gateway,
  schedules,
  email,
  sms,
  webhook,
  retention,
  clock,
  sweep,
}
