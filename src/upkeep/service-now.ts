// The state of the service now and in the last minutes, for the console's Now page. Each open page
// asks for it every few seconds. So it is read at most once a second for all of them, and only
// while a page is open.

import { remembered } from '../core/remembered.ts'
import { after, SECOND } from '../core/time-units.ts'
import type { ProcessHeartbeat } from '../generated/client.ts'
import type { World } from '../world.ts'
import {
  type AttentionRows,
  attentionByKind,
  countInDoubt,
  type DueRows,
  dueByKind,
} from './due-by-kind.ts'
import { listProcesses } from './keep-heartbeat.ts'
import { type QueueDepth, queueDepths } from './queue-depths.ts'
import { readSeries, type ServiceSeries, SHOWN_MS } from './service-series.ts'

interface DepthSample {
  readonly at: Date
  /** In all queues together. */
  readonly waiting: number
  readonly active: number
}

export interface QueueNow extends QueueDepth {
  readonly isPaused: boolean
}

export interface ServiceNow {
  readonly at: Date
  readonly series: ServiceSeries
  /** Undefined while the queue store is away. */
  readonly queues: readonly QueueNow[] | undefined
  /** One for each step since the page was opened. */
  readonly depths: readonly DepthSample[]
  readonly due: readonly DueRows[]
  /** Payments whose gateway is asked what became of them, also those that are not due yet. */
  readonly inDoubt: number
  /** All that needs the attention of an operator. */
  readonly attention: readonly AttentionRows[]
  readonly processes: readonly ProcessHeartbeat[]
  /** The most messages a second, by settings. */
  readonly paces: { readonly email: number; readonly sms: number }
}

const KEPT_MS = SECOND

const DEPTH_STEP_MS = 15 * SECOND

/** Returns what it read within the last second, or reads again; less often if that takes long. */
export function watchService(world: World): () => Promise<ServiceNow> {
  let depths: readonly DepthSample[] = []
  const paces = { email: world.config.emailPerSecond, sms: world.config.smsPerSecond }

  async function look(): Promise<ServiceNow> {
    const [series, queues, due, inDoubt, attention, processes] = await Promise.all([
      readSeries(world),
      queuesNow(world),
      dueByKind(world),
      countInDoubt(world),
      attentionByKind(world),
      listProcesses(world),
    ])
    const at = world.clock.now()
    if (queues !== undefined) depths = withSample(depths, at, queues)
    return { at, series, queues, depths, due, inDoubt, attention, processes, paces }
  }

  return remembered(KEPT_MS, look)
}

async function queuesNow(world: World): Promise<readonly QueueNow[] | undefined> {
  try {
    const depths = await queueDepths(world)
    const paused = await Promise.all(
      depths.map(({ queue }) => world.queues.queue(queue).isPaused()),
    )
    return depths.map((depth, place) => ({ ...depth, isPaused: paused[place] === true }))
  } catch (err) {
    world.log.debug({ err }, 'the queues cannot be read')
    return undefined
  }
}

/** The highest value of each step, so that a short peak is not lost. */
function withSample(
  samples: readonly DepthSample[],
  now: Date,
  queues: readonly QueueNow[],
): readonly DepthSample[] {
  const at = new Date(Math.floor(now.getTime() / DEPTH_STEP_MS) * DEPTH_STEP_MS)
  const sum = (of: 'waiting' | 'active') => queues.reduce((all, queue) => all + queue[of], 0)
  const same = samples.find((sample) => sample.at.getTime() === at.getTime())
  const sample = {
    at,
    waiting: Math.max(sum('waiting'), same?.waiting ?? 0),
    active: Math.max(sum('active'), same?.active ?? 0),
  }
  const oldest = after(now, -SHOWN_MS)
  return [...samples.filter((one) => one !== same && one.at >= oldest), sample]
}
