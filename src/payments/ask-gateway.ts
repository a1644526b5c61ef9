// How a worker speaks with a gateway: by the name on the row, for a bounded time, and taking
// silence for an answer.

import { storable } from '../core/text.ts'
import { SECOND } from '../core/time-units.ts'
import type { Gateway } from '../outside/gateway/port.ts'
import type { World } from '../world.ts'

/** Who is asked what, and about which row of ours: a payment or a batch. */
interface GatewayQuestion {
  readonly gatewayName: string | null
  readonly question: 'carry_out' | 'look_up' | 'give_up' | 'close_batch'
  readonly accountId: string
  readonly id: string
  readonly requestId: string
}

interface Silence {
  readonly kind: 'silent'
}

/** An answer, or silence. How long it took is measured, and told to whoever traces the payment. */
export function askGateway<A extends { readonly kind: string }>(
  world: World,
  asked: GatewayQuestion,
  signal: AbortSignal,
  ask: (gateway: Gateway, limit: AbortSignal) => Promise<A>,
): Promise<A | Silence> {
  const about = aboutAsking(asked)
  const { gateway, question } = about
  const outcome = ({ kind }: A | Silence) => ({ answer: kind })
  return world.tracer.span(
    { name: `gateway ${question}`, kind: 'client', attributes: about },
    async () => {
      const startedMs = performance.now()
      const answer = await orSilence(world, about, signal, async (limit) =>
        inStorableWords(await ask(world.gateways.named(asked.gatewayName), limit)),
      )
      const seconds = (performance.now() - startedMs) / SECOND
      world.metrics.gatewayAnswers.observe({ gateway, question, ...outcome(answer) }, seconds)
      return answer
    },
    outcome,
  )
}

/** Whatever text a gateway answers ends up in a row, and in an event. */
function inStorableWords<A extends { readonly kind: string }>(answer: A): A {
  const entries = Object.entries(answer).map(([name, value]) => [
    name,
    typeof value === 'string' ? storable(value) : value,
  ])
  return Object.fromEntries(entries) as A
}

/** In the log's words. */
function aboutAsking({ gatewayName, question, accountId, id, requestId }: GatewayQuestion) {
  const gateway = gatewayName ?? 'none'
  return { gateway, question, request_id: requestId, account_id: accountId, id }
}

/**
 * Whatever the gateway throws, and whatever it does after the time is up or the job was lost, is
 * silence: it may have been done.
 */
async function orSilence<A>(
  world: World,
  about: object,
  signal: AbortSignal,
  ask: (limit: AbortSignal) => Promise<A>,
): Promise<A | Silence> {
  const limit = new AbortController()
  const end = () => limit.abort()
  const timeUp = setTimeout(end, world.timings.gatewayTimeoutMs)
  signal.addEventListener('abort', end)
  try {
    return await Promise.race([ask(limit.signal), abortionOf(limit.signal)])
  } catch (error) {
    world.log.warn({ ...about, err: error }, 'the gateway was silent')
    return { kind: 'silent' }
  } finally {
    clearTimeout(timeUp)
    signal.removeEventListener('abort', end)
  }
}

function abortionOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
