// Long work is done in parts, one part in each turn of the event loop, so that other events are
// handled in between. A process has one event loop, so this module's state is shared.
//
// Node accepts one new connection in each turn. If many callers arrive at once, the last of them,
// and the monitoring, would wait for as many turns as there are callers. So while connections keep
// arriving, the parts wait for a while.

/**
 * Consecutive turns that only accept connections. They take about as long as the part after them.
 */
const MOST_PUT_OFF = 32

const parts: (() => void)[] = []
let hasAccepted = false
let putOff = 0

/** Must be called for each new connection. */
export function connectionAccepted(): void {
  hasAccepted = true
}

/** Resolves in a later turn, in which no other part begins. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    parts.push(resolve)
    if (parts.length === 1) setImmediate(takeTurn)
  })
}

/** Work that takes longer than this lets other work run in between. */
const TURN_MS = 5

/**
 * For a loop over many items: await it after each item. It yields whenever the turn was long
 * enough.
 */
export function takingTurns(): () => Promise<void> {
  let endsMs = performance.now() + TURN_MS
  return async () => {
    if (performance.now() < endsMs) return
    await nextTurn()
    endsMs = performance.now() + TURN_MS
  }
}

/** The results for many items, made in such turns. */
export async function mapInTurns<T, U>(
  items: Iterable<T>,
  resultOf: (item: T) => U,
): Promise<readonly U[]> {
  const othersTurn = takingTurns()
  const results: U[] = []
  for (const item of items) {
    results.push(resultOf(item))
    await othersTurn()
  }
  return results
}

function takeTurn(): void {
  if (hasAccepted && putOff < MOST_PUT_OFF) putOff += 1
  else {
    putOff = 0
    parts.shift()?.()
  }
  hasAccepted = false
  if (parts.length > 0) setImmediate(takeTurn)
}
