// Combines concurrent calls into one call with many inputs. This suits a target, such as the
// database or the queue, for which many inputs cost about as much as one.
//
// The first caller goes at once, together with others of the same turn of the event loop. A caller
// that comes while `atOnce` rounds are under way waits for the next one, with all others. So
// gathering costs nothing when the service is idle, and makes one statement of many when it is
// busy: the busier, the cheaper each call.
//
// If more wait than a round takes, groups of inputs have turns: an account is a group. So one
// account with thousands of inputs does not delay the single input of another.
//
// A round must never wait for one row. If another transaction has locked a row that it needs, the
// round fails soon and its inputs continue separately: each group of them in rounds of its own,
// until no input of the group is held up any more. So no group waits for another group's row.
//
// The callers' work with their answers takes time as well. So the answers of a large round are
// handed out in parts, and the process does other work in between.

import { lineByGroup } from './line-by-group.ts'
import { nextTurn } from './next-turn.ts'

/** Answers handed out in one turn of the event loop: a few milliseconds of work. */
const ANSWERS_A_TURN = 24

export interface GatherOptions<I> {
  /** The maximum number of inputs in a round. */
  readonly most: number
  /**
   * Rounds under way at once. Two keep the database busy while answers are read; more would only
   * make rounds smaller.
   */
  readonly atOnce: number
  /**
   * True if one input may have made the round fail, and the round surely changed nothing. Then each
   * input is tried alone.
   */
  readonly isOnesFault: (error: unknown) => boolean
  /** Absent if all inputs are of one group. */
  readonly groupOf?: (input: I) => string
  /** Absent if rounds never wait for rows. */
  readonly heldUp?: HeldUp
}

export interface HeldUp {
  /**
   * True if a round failed, and changed nothing, because another transaction holds one of its rows.
   */
  readonly isBy: (error: unknown) => boolean
  /** The pause between two tries of an input whose own row is held. */
  readonly pauseMs: number
  /** An input whose row is held for longer than this fails. */
  readonly patienceMs: number
}

interface Waiting<I, O> {
  readonly input: I
  readonly resolve: (output: O) => void
  readonly reject: (error: unknown) => void
  /** When its row was first found held, on the clock of `performance.now()`. */
  heldSinceMs?: number
}

type Run<I, O> = (inputs: readonly I[]) => Promise<readonly O[]>
type Add<I, O> = (one: Waiting<I, O>) => void

/** `run` returns one output for each input, in the same order. */
export function gather<I, O>(run: Run<I, O>, options: GatherOptions<I>): (input: I) => Promise<O> {
  const apart = new Map<string, Add<I, O>>()
  const { groupOf = () => '' } = options
  const common = openQueue<I, O>(run, options, (round) => {
    for (const one of round) queueOf(groupOf(one.input))(one)
  })

  function queueOf(group: string): Add<I, O> {
    const queue = apart.get(group) ?? openQueueApart(run, options, () => apart.delete(group))
    apart.set(group, queue)
    return queue
  }

  return (input) =>
    new Promise<O>((resolve, reject) => {
      const one = { input, resolve, reject }
      const queue = apart.size === 0 ? common : (apart.get(groupOf(input)) ?? common)
      queue(one)
    })
}

/** One round at a time. If it is held up, one input at a time, each repeated after a pause. */
function openQueueApart<I, O>(
  run: Run<I, O>,
  options: GatherOptions<I>,
  onIdle: () => void,
): Add<I, O> {
  let left = 0
  const isOnesFault = (error: unknown) =>
    options.isOnesFault(error) || options.heldUp?.isBy(error) === true
  const add = openQueue<I, O>(run, { ...options, atOnce: 1, isOnesFault }, pause)

  function pause([one]: readonly Waiting<I, O>[], error: unknown): void {
    const { pauseMs = 0, patienceMs = 0 } = options.heldUp ?? {}
    if (one === undefined) return
    one.heldSinceMs ??= performance.now()
    if (performance.now() - one.heldSinceMs > patienceMs) one.reject(error)
    else setTimeout(() => add(one), pauseMs)
  }

  function leave(): void {
    left -= 1
    if (left === 0) onIdle()
  }

  return ({ input, resolve, reject }) => {
    left += 1
    add({
      input,
      resolve: (output) => {
        leave()
        resolve(output)
      },
      reject: (error) => {
        leave()
        reject(error)
      },
    })
  }
}

/** `onHeldUp` handles the inputs of a round that was held up. */
function openQueue<I, O>(
  run: Run<I, O>,
  { most, atOnce, isOnesFault, groupOf = () => '', heldUp }: GatherOptions<I>,
  onHeldUp: (round: readonly Waiting<I, O>[], error: unknown) => void,
): Add<I, O> {
  const waiting = lineByGroup<Waiting<I, O>>(({ input }) => groupOf(input))
  let underWay = 0
  let isScheduled = false

  function schedule(): void {
    if (isScheduled || waiting.size === 0 || underWay >= atOnce) return
    isScheduled = true
    setImmediate(startRounds)
  }

  function startRounds(): void {
    isScheduled = false
    while (waiting.size > 0 && underWay < atOnce) {
      const round = waiting.take(most)
      underWay += 1
      void settle(round).then(() => {
        underWay -= 1
        schedule()
      })
    }
  }

  async function settle(round: readonly Waiting<I, O>[]): Promise<void> {
    try {
      const outputs = await run(round.map((one) => one.input))
      for (const [i, one] of round.entries()) {
        if (i > 0 && i % ANSWERS_A_TURN === 0) await nextTurn()
        one.resolve(outputs[i] as O)
      }
    } catch (error) {
      if (round.length > 1 && isOnesFault(error)) return alone(round)
      if (heldUp?.isBy(error) === true) return onHeldUp(round, error)
      for (const one of round) one.reject(error)
    }
  }

  async function alone(round: readonly Waiting<I, O>[]): Promise<void> {
    for (const one of round) await settle([one])
  }

  return (one) => {
    waiting.add(one)
    schedule()
  }
}
