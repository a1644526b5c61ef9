// The whole service as one process, for the tests that try to block it: on request it stalls, as a
// control, reports its memory, and has a gateway that never answers for some accounts.

import { setTimeout as delay } from 'node:timers/promises'
import { serve } from '../../src/cli/serve.ts'
import type { Gateway } from '../../src/outside/gateway/port.ts'
import { QUEUE_NAMES } from '../../src/queue/catalogue.ts'
import type { Timings } from '../../src/timings.ts'

export interface ServiceOrder {
  readonly timings?: Partial<Timings>
}

export type ToService =
  | { readonly kind: 'stall'; readonly ms: number }
  | { readonly kind: 'memory' }
  /** The gateway answers for these accounts this late, or never if no time is given. */
  | { readonly kind: 'gateway'; readonly accounts: readonly string[]; readonly afterMs?: number }

export type FromService =
  | { readonly kind: 'ready' }
  | { readonly kind: 'stalled' }
  | { readonly kind: 'memory'; readonly heapBytes: number; readonly residentBytes: number }

/** The service gives up long before. */
const LONGEST_MS = 600_000

process.env.TZ = 'UTC'
const order: ServiceOrder = JSON.parse(process.argv[2] ?? '{}')
let slowed: ReadonlySet<string> = new Set()
let afterMs: number | undefined
process.on('message', (message: ToService) => {
  if (message.kind === 'stall') {
    stall(message.ms)
    say({ kind: 'stalled' })
  }
  if (message.kind === 'gateway') {
    slowed = new Set(message.accounts)
    afterMs = message.afterMs
  }
  if (message.kind === 'memory') say(memoryKept())
})
// The service must not outlive its test.
process.on('disconnect', () => process.exit())

await serve({
  role: 'guest',
  api: true,
  queues: QUEUE_NAMES,
  parts: { timings: order.timings ?? {}, withGateway: lateForSome },
  onReady: async () => say({ kind: 'ready' }),
})
process.disconnect()

function say(message: FromService): void {
  process.send?.(message)
}

/** Works for this long, on whatever share of a core the machine gives. */
function stall(ms: number): void {
  const begun = process.cpuUsage()
  const workedMs = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1_000
  while (workedMs(process.cpuUsage(begun)) < ms);
}

/** Collects garbage first, so that only memory in use is counted. */
function memoryKept(): FromService {
  globalThis.gc?.()
  const { heapUsed, external, rss } = process.memoryUsage()
  return { kind: 'memory', heapBytes: heapUsed + external, residentBytes: rss }
}

function lateForSome(gateway: Gateway): Gateway {
  return {
    ...gateway,
    async carryOut(one, signal) {
      await wait(one.accountId, signal)
      return gateway.carryOut(one, signal)
    },
    async lookUp(one, signal) {
      await wait(one.accountId, signal)
      return gateway.lookUp(one, signal)
    },
  }
}

async function wait(accountId: string, signal: AbortSignal): Promise<void> {
  if (slowed.has(accountId)) await delay(afterMs ?? LONGEST_MS, undefined, { signal })
}
