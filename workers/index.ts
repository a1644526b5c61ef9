// The workers, one for each queue of the catalogue: a queue without one does not compile.

import type { QueueName } from '../src/queue/catalogue.ts'
import { charge } from './charge.ts'
import { doubt } from './doubt.ts'
import type { WorkerSpec } from './run.ts'
import { sweep } from './sweep.ts'

export const WORKERS: Readonly<Record<QueueName, WorkerSpec>> = { charge, doubt, sweep }
