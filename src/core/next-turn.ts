// Long work is done in parts, one part a turn of the event loop, so that whatever else arrives is
// looked at in between. The event loop is one for the process, and so is this.
//
// Node accepts one new connection a turn. Callers that all arrive at once, and the monitor behind
// them, would wait for as many turns as there are callers; so while connections keep arriving, the
// parts wait for a while.

/** Turns that only accept connections, in a row: they take about as long as the part after them. */
const MOST_PUT_OFF = 32

const parts: (() => void)[] = []
let hasAccepted = false
let putOff = 0

/** To be called for each new connection. */
export function connectionAccepted(): void {
  hasAccepted = true
}

/** Resolves in a later turn, which it has to itself: no other part begins in it. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    parts.push(resolve)
    if (parts.length === 1) setImmediate(takeTurn)
  })
}

/** What goes on for this long lets others come between. */
const TURN_MS = 5

/** For a loop over many: to be awaited after each, it gives others their turn whenever it is time. */
export function takingTurns(): () => Promise<void> {
  let endsMs = performance.now() + TURN_MS
  return async () => {
    if (performance.now() < endsMs) return
    await nextTurn()
    endsMs = performance.now() + TURN_MS
  }
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
